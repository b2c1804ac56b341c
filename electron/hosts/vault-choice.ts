import path from 'node:path';

/** Store for credentials: the system's store, or a key file for unattended runs. */
export type VaultChoice = 'keychain' | { readonly keyfile: string };

const KEYFILE_PREFIX = 'keyfile:';

export const VAULT_CHOICE_MESSAGE = 'The credential store must be keychain or keyfile:PATH';

/**
 * Parses `--vault` and `SIGNING_DESK_VAULT`: `keychain` or `keyfile:PATH`; null for any other text.
 */
export function readVaultChoice(text: string | undefined): VaultChoice | null {
  if (text === undefined || text === '' || text === 'keychain') return 'keychain';
  const file = text.startsWith(KEYFILE_PREFIX) ? text.slice(KEYFILE_PREFIX.length) : '';
  return file === '' ? null : { keyfile: path.resolve(file) };
}
