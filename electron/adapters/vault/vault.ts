import type { VaultStore } from '../../../shared/contract/access.ts';
import type { Vault } from '../../core/ports.ts';
import { createKeychainVault } from './keychain.ts';
import { MARKER_FILE, readMarker } from './marker.ts';
import { createSealedVault, SEALED_VAULT_FILE, type SealedVaultKeySource } from './sealed.ts';

export type VaultChoice = ({ readonly store: 'keychain' } | SealedVaultKeySource) & {
  readonly dataDir: string;
};

export const VAULT_FILES: readonly string[] = [MARKER_FILE, SEALED_VAULT_FILE];

/** Creates the vault without opening it: the first call opens the store and reports its errors. */
export function createVault(choice: VaultChoice): Vault {
  if (choice.store === 'keychain') return createKeychainVault(choice.dataDir);
  return createSealedVault(choice, choice.dataDir);
}

/**
 * Returns the kind of store that protects a data folder; null if the folder has none yet. Throws
 * 'vault' with 'vault-changed' if the marker cannot be parsed.
 */
export async function protectionOf(dataDir: string): Promise<VaultStore | null> {
  const marker = await readMarker(dataDir);
  return marker?.store ?? null;
}
