import { randomBytes, scrypt } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { createFile, storageError, systemCode } from '../files/durable.ts';
import { vaultError } from './error.ts';

/** Length of a key of AES-256. */
const KEY_BYTES = 32;
/**
 * Permissions of other users, and the owner's permission to execute, which makes no sense for a
 * key.
 */
const FORBIDDEN_BITS = 0o177;

/**
 * Flags for reading without waiting. Without O_NONBLOCK, opening a pipe waits for its writer.
 * Windows has neither pipes in folders nor this flag.
 */
const NON_BLOCKING_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Cost of one guess at a passphrase, in scrypt's parameters. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Parameters that cost 128 MiB and about half a second per guess. */
export const SCRYPT_COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/** Writes a new key file: 32 random bytes, mode 0600. Throws 'conflict' if the file exists. */
export async function createKeyFile(file: string): Promise<void> {
  await createFile(file, randomBytes(KEY_BYTES));
}

/**
 * Returns the 32 bytes of a key file. Throws 'vault': 'keyfile-mode' if other users have access,
 * 'vault-entry-missing' if the file does not exist, 'vault-wrong-key' if its length differs or if
 * it is not a regular file (reading a pipe would block until someone writes).
 */
export async function readKeyFile(file: string): Promise<Uint8Array> {
  const name = path.basename(file);
  try {
    const handle = await open(file, NON_BLOCKING_READ);
    try {
      checkKeyFile(name, await handle.stat());
      const key = new Uint8Array(KEY_BYTES);
      const { bytesRead } = await handle.read(key);
      if (bytesRead !== KEY_BYTES) throw notAKeyFileError(name);
      return key;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      throw vaultError('entry-missing', `The key file ${name} does not exist`, error);
    }
    throw storageError(error, `Reading ${name}`);
  }
}

function checkKeyFile(name: string, found: Stats): void {
  if (!found.isFile()) throw notAKeyFileError(name);
  // Windows uses access lists instead, and Node invents the mode of a file on Windows.
  if (process.platform !== 'win32' && (found.mode & FORBIDDEN_BITS) !== 0) {
    throw new AppError('vault', `Others can read ${name}. Set its permissions to 0600 or 0400`, {
      reason: 'keyfile-mode',
    });
  }
  if (found.size !== KEY_BYTES) throw notAKeyFileError(name);
}

function notAKeyFileError(name: string): AppError {
  return vaultError(
    'wrong-key',
    `${name} is not a key file. A key file has exactly ${KEY_BYTES} bytes`,
  );
}

/**
 * Derives the 32-byte key of a passphrase, normalized to NFC so that equal-looking characters
 * match.
 */
export function derivePassphraseKey(
  passphrase: string,
  salt: Uint8Array,
  { N, r, p }: ScryptCost,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Node rejects the memory that scrypt needs (128 · N · r bytes) unless `maxmem` allows it.
    const options = { N, r, p, maxmem: 256 * N * r };
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(new Uint8Array(key));
      else reject(error);
    });
  });
}
