import { VaultState } from '../../../shared/contract/access.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';

const VaultTrouble = VaultState.exclude(['ready']);
export type VaultTrouble = Exclude<VaultState, 'ready'>;

const REASON_BY_VAULT_STATE = {
  locked: 'vault-locked',
  dismissed: 'vault-dismissed',
  denied: 'vault-denied',
  'no-session': 'vault-no-session',
  'entry-missing': 'vault-entry-missing',
  'wrong-key': 'vault-wrong-key',
  changed: 'vault-changed',
} as const satisfies Record<VaultTrouble, ErrorReason>;

export function vaultError(state: VaultTrouble, message: string, cause?: unknown): AppError {
  return new AppError('vault', message, { reason: REASON_BY_VAULT_STATE[state], cause });
}

/** Returns the vault state that an error shows; rethrows errors that are not about the vault. */
export function stateOf(error: unknown): VaultTrouble {
  if (error instanceof AppError) {
    const { reason } = error.failure;
    // This program, not the system, rejects a key file that others can read.
    if (reason === 'keyfile-mode') return 'denied';
    const state = VaultTrouble.options.find((option) => REASON_BY_VAULT_STATE[option] === reason);
    if (state !== undefined) return state;
  }
  throw error;
}
