import { randomBytes } from 'node:crypto';
import type { Vault } from '../../core/ports.ts';
import { vaultError } from './error.ts';

/** Vault entry with the database key, in hex. */
export const DATA_KEY = 'data-key';

const KEY_BYTES = 32;
const KEY_HEX = /^[0-9a-f]{64}$/;

/**
 * Returns the database key (32 bytes). The key is created only if no database file exists, and is
 * used only after it was read back. Never overwrites or deletes a key.
 *
 * Throws 'vault': 'vault-entry-missing' if the database exists but its key does not,
 * 'vault-wrong-key' if the entry is not a key, or the vault's own error.
 */
export async function dataKey(
  vault: Vault,
  { databaseExists }: { readonly databaseExists: boolean },
): Promise<Uint8Array> {
  const stored = await vault.read(DATA_KEY);
  if (stored !== null) return decodeDataKey(stored);
  if (databaseExists) {
    throw vaultError(
      'entry-missing',
      'The data file exists, but its key is missing from the credential store',
    );
  }
  const made = randomBytes(KEY_BYTES).toString('hex');
  await vault.write(DATA_KEY, made);
  if ((await vault.read(DATA_KEY)) !== made) {
    throw vaultError('entry-missing', 'The credential store did not save the new key');
  }
  return decodeDataKey(made);
}

function decodeDataKey(hex: string): Uint8Array {
  if (!KEY_HEX.test(hex)) {
    throw vaultError('wrong-key', 'The stored key of the data file is not valid');
  }
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
