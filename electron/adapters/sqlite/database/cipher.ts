import { createHmac } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../../../shared/errors.ts';

export const KEY_BYTES = 32;
const STAMP_BYTES = 16;
/** Number of unencrypted bytes at the start of page 1. */
export const HEAD_BYTES = 24;
const PLAIN_SQLITE = Buffer.from('SQLite format 3\0');

/**
 * Bytes 16, 17 and 20 to 23 of the file, which the cipher leaves readable: pages of 4096 bytes, 32
 * of them reserved for nonce and tag, and SQLite's three fixed payload fractions.
 */
const HEADER_BYTES_BY_OFFSET: readonly (readonly [number, number])[] = [
  [16, 0x10],
  [17, 0x00],
  [20, 0x20],
  [21, 0x40],
  [22, 0x20],
  [23, 0x20],
];

/** Values of bytes 18 and 19: the file format with or without WAL. */
const FORMATS = [2, 1] as const;

/**
 * Opens `file` with the raw key. The cipher (SQLite3 Multiple Ciphers, "sqleet: ChaCha20-Poly1305")
 * stores 16 unencrypted bytes of salt, which a raw key does not use. This program stores a
 * fingerprint of the key in these bytes, which distinguishes a wrong key from a damaged first page.
 */
export function connect(file: string, key: Uint8Array, mode: 'read' | 'write'): Sqlite.Database {
  const raw = new Sqlite(file, { readonly: mode === 'read', fileMustExist: mode === 'read' });
  try {
    raw.pragma("cipher = 'chacha20'");
    raw.pragma(keyPragma('key', key));
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}

/**
 * Returns the pragma that opens a file with this key or, as `rekey`, encrypts an open file with it.
 */
export function keyPragma(name: 'key' | 'rekey', key: Uint8Array): string {
  return `${name} = 'raw:${Buffer.from(key).toString('hex')}${keyStamp(key).toString('hex')}'`;
}

/**
 * Returns the error for a first page of `file` that `key` cannot decrypt. A changed byte within the
 * fingerprint counts as a wrong key. No connection of this process may be open on the file: closing
 * the descriptor used by this function drops the locks that the process holds on the file (POSIX).
 */
export function whyUnreadable(file: string, key: Uint8Array, cause: unknown): AppError {
  const head = readHead(file);
  const stamp = keyStamp(key).subarray(0, head.length);
  if (head.subarray(0, STAMP_BYTES).equals(stamp)) {
    return new AppError('storage', 'The data file is damaged', { reason: 'data-damaged', cause });
  }
  const isPlain = head.subarray(0, PLAIN_SQLITE.length).equals(PLAIN_SQLITE);
  if (isPlain || HEADER_BYTES_BY_OFFSET.some(([at, value]) => head[at] !== value))
    return foreignFileError(cause);
  return new AppError('storage', 'The data file was made with a different key', {
    reason: 'data-wrong-key',
    cause,
  });
}

export function foreignFileError(cause?: unknown): AppError {
  return new AppError(
    'storage',
    'The data file was not made by this program, or its beginning is damaged',
    {
      reason: 'data-foreign',
      cause,
    },
  );
}

/** Returns the possible unencrypted headers of a file with this key. */
export function headsOf(key: Uint8Array): readonly Uint8Array[] {
  return FORMATS.map((format) => {
    const head = new Uint8Array(HEAD_BYTES);
    head.set(keyStamp(key));
    for (const [at, value] of [...HEADER_BYTES_BY_OFFSET, [18, format], [19, format]] as const)
      head[at] = value;
    return head;
  });
}

function keyStamp(key: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update('signing-desk data file')
    .digest()
    .subarray(0, STAMP_BYTES);
}

function readHead(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
