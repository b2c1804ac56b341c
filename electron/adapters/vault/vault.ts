import type { VaultStore } from '../../../shared/contract/access.ts';
import type { Vault } from '../../core/ports.ts';
import { createKeychainVault } from './keychain.ts';
import { MARKER, readMarker } from './marker.ts';
import { createSealedVault, SEALED, type SealedBy } from './sealed.ts';

export type VaultChoice = ({ readonly store: 'keychain' } | SealedBy) & {
  /** The data folder that the vault's entries belong to. */
  readonly dataDir: string;
};

/** What a data folder keeps of its protection. */
export const VAULT_FILES: readonly string[] = [MARKER, SEALED];

/** Opens nothing yet: the first call asks the store, and says what is wrong with it. */
export function createVault(choice: VaultChoice): Vault {
  if (choice.store === 'keychain') return createKeychainVault(choice.dataDir);
  return createSealedVault(choice, choice.dataDir);
}

/**
 * What protects a data folder already; null before anything was stored for it. Throws 'vault' with
 * 'vault-changed' when the folder's own note cannot be understood.
 */
export async function protectionOf(dataDir: string): Promise<VaultStore | null> {
  const marker = await readMarker(dataDir);
  return marker?.store ?? null;
}
