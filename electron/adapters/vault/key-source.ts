import { randomBytes, scrypt } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { PRIVATE_FILE, createFile, storageError, systemCode } from '../durable-file.ts';
import { vaultError } from './vault-error.ts';

/** AES-256. */
const KEY_BYTES = 32;
const PERMISSION_BITS = 0o777;

/** 128 MiB and about half a second per guess. */
export const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const;
/** Node refuses scrypt's memory (128 · N · r bytes) unless it is allowed explicitly. */
const SCRYPT_MEMORY = 256 * SCRYPT.N * SCRYPT.r;

/** Writes a new key file, 32 random bytes with mode 0600; throws 'conflict' when there is one. */
export async function createKeyFile(file: string): Promise<void> {
  await createFile(file, randomBytes(KEY_BYTES));
}

/**
 * The 32 bytes of a key file. Throws 'vault': 'keyfile-mode' when anybody else may touch the file,
 * 'vault-entry-missing' when there is none, 'vault-wrong-key' when its length is another.
 */
export async function readKeyFile(file: string): Promise<Uint8Array> {
  const name = path.basename(file);
  try {
    const handle = await open(file, 'r');
    try {
      const { mode, size } = await handle.stat();
      // Windows has access lists instead; Node shows made-up modes there.
      if (process.platform !== 'win32' && (mode & PERMISSION_BITS) !== PRIVATE_FILE) {
        throw new AppError('vault', `${name} must have mode 0600`, { reason: 'keyfile-mode' });
      }
      if (size !== KEY_BYTES) {
        throw vaultError('wrong-key', `${name} is not a key file: it must be ${KEY_BYTES} bytes`);
      }
      return new Uint8Array(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      throw vaultError('entry-missing', `There is no key file ${name}`, error);
    }
    throw storageError(error, `Reading ${name}`);
  }
}

/** The 32-byte key of a passphrase; letters that look alike count alike (NFC). */
export function derivePassphraseKey(passphrase: string, salt: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const options = { ...SCRYPT, maxmem: SCRYPT_MEMORY };
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(new Uint8Array(key));
      else reject(error);
    });
  });
}
