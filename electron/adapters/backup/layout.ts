import { createHash } from 'node:crypto';

/*
 * A backup is a tar of four files, so that `tar` and `age` open it without this program:
 * README.txt, index.json, key.age (the private key, encrypted under the phrase) and backup.age (an
 * inner tar).
 */

export const README_FILE = 'README.txt';
export const INDEX_FILE = 'index.json';
export const WRAPPED_KEY_FILE = 'key.age';
export const SEALED_FILE = 'backup.age';

/** Files in backup.age, in this order. */
export const MANIFEST_FILE = 'manifest.json';
export const KEYS_FILE = 'keys.json';
export const DATABASE_FILE = 'desk.db';

/**
 * Returns the hash of the README. The README is outside the authenticated part of a backup, so its
 * hash is stored inside that part.
 */
export const hashReadme = (readme: string | Uint8Array): string =>
  createHash('sha256').update(readme).digest('hex');

const TAR_BLOCK_BYTES = 512;

/** Returns the size of a tar with files of these sizes (bytes). */
export function tarSize(sizes: readonly number[]): number {
  const files = sizes.reduce(
    (sum, size) => sum + TAR_BLOCK_BYTES + Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES,
    0,
  );
  return files + 2 * TAR_BLOCK_BYTES;
}

export const README_TEXT = `This is a backup of Signing Desk.

To restore it, install Signing Desk on a computer and run
  signing-desk backup restore THIS-FILE --into FOLDER
It asks for the recovery phrase.

Without Signing Desk, tar and age (https://age-encryption.org) open it:
  tar -xf THIS-FILE
  age --decrypt -o key.txt key.age          (asks for the recovery phrase: words and single spaces)
  age --decrypt -i key.txt backup.age | tar -x
If an administrator's key was set up for backups, its key file opens backup.age instead of key.txt.

desk.db is an SQLite file, encrypted by SQLite3 Multiple Ciphers (chacha20). Its raw key is in
keys.json. Remove key.txt and keys.json when you are done.
`;
