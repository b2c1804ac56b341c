import { createDecipheriv, createHash } from 'node:crypto';
import { PDFBool, PDFDict, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { numberIn } from '../dict-values.ts';
import { computeLongHash } from './long-hash.ts';
import { applyRc4 } from './rc4.ts';

/** Padding of passwords (PDF 1.7, algorithm 2, step a). An empty password is padding only. */
const PASSWORD_PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const AES_BLOCK_BYTES = 16;
const ZERO_VECTOR = Buffer.alloc(AES_BLOCK_BYTES);
const AES_SALT = Buffer.from('sAlT');
/** Permission bits of the entry `P` (PDF 1.7, table 22). */
const CHANGE_PERMISSION = 8;
const ANNOTATE_PERMISSION = 32;
const FILL_PERMISSION = 256;

type Cipher = 'none' | 'rc4' | 'aes';

/** Decryption of a PDF that opens with an empty user password, and the permissions of its user. */
export interface OpenedSecurity {
  readonly canFill: boolean;
  readonly canChange: boolean;
  readonly encryptsMetadata: boolean;
  decryptString(number: number, generation: number, data: Uint8Array): Uint8Array;
  /** `filter` is the crypt filter that the stream itself names. Throws if it is unknown. */
  decryptStream(number: number, generation: number, data: Uint8Array, filter?: PDFName): Uint8Array;
}

/**
 * Opens the standard security handler with an empty user password (PDF 1.7, 7.6.3; PDF 2.0, 7.6.4).
 * Returns null if a password is required or the handler is unknown.
 *
 * @param id the first part of the file's identifier
 */
export function openSecurity(dict: PDFDict, id: Uint8Array): OpenedSecurity | null {
  if (nameIn(dict, 'Filter') !== '/Standard') return null;
  const [version, revision] = [numberIn(dict, 'V') ?? 0, numberIn(dict, 'R') ?? 0];
  const permissions = numberIn(dict, 'P') ?? 0;
  const encryptsMetadata = dict.lookup(PDFName.of('EncryptMetadata')) !== PDFBool.False;
  const isLong = version === 5;
  const key = isLong
    ? deriveLongKey(dict, revision)
    : deriveShortKey(dict, { id, version, revision, permissions, encryptsMetadata });
  if (key === null) return null;
  const strings = cipherOf(dict, version, 'StrF');
  const streams = cipherOf(dict, version, 'StmF');
  if (strings === null || streams === null) return null;
  const decrypt = (cipher: Cipher, number: number, generation: number, data: Uint8Array) => {
    if (cipher === 'none' || data.length === 0) return data;
    if (isLong) return decryptAes(key, data);
    const own = objectKey(key, number, generation, cipher);
    return cipher === 'aes' ? decryptAes(own, data) : applyRc4(own, data);
  };
  // Before revision 3, bit 6 alone allows filling; later, either bit does.
  const fills = revision >= 3 ? FILL_PERMISSION | ANNOTATE_PERMISSION : ANNOTATE_PERMISSION;
  return {
    canFill: (permissions & fills) !== 0,
    canChange: (permissions & CHANGE_PERMISSION) !== 0,
    encryptsMetadata,
    decryptString: (number, generation, data) => decrypt(strings, number, generation, data),
    decryptStream(number, generation, data, filter) {
      const cipher = filter === undefined ? streams : cipherByName(dict, version, filter);
      if (cipher === null) throw new Error('A stream is encrypted in an unknown way');
      return decrypt(cipher, number, generation, data);
    },
  };
}

interface ShortKeyParts {
  readonly id: Uint8Array;
  readonly version: number;
  readonly revision: number;
  readonly permissions: number;
  readonly encryptsMetadata: boolean;
}

/**
 * Returns the key of 40 to 128 bits (algorithm 2); null if the empty password is wrong (algorithms
 * 4 to 6).
 */
function deriveShortKey(dict: PDFDict, parts: ShortKeyParts): Buffer | null {
  const { id, version, revision } = parts;
  if (![1, 2, 4].includes(version) || ![2, 3, 4].includes(revision)) return null;
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(parts.permissions | 0);
  const unencrypted = revision >= 4 && !parts.encryptsMetadata;
  const first = md5(
    PASSWORD_PADDING,
    bytesIn(dict, 'O').subarray(0, 32),
    permissions,
    id,
    unencrypted ? Buffer.alloc(4, 0xff) : Buffer.alloc(0),
  );
  const keys = keyLengths(dict, version).map((length) => {
    let hash = first;
    for (let round = 0; revision >= 3 && round < 50; round += 1) {
      hash = md5(hash.subarray(0, length));
    }
    return hash.subarray(0, length);
  });
  return keys.find((key) => isUserKey(dict, key, parts)) ?? null;
}

/** Whether the entry `U` has the value expected for the empty password (algorithms 4 and 5). */
function isUserKey(dict: PDFDict, key: Buffer, { id, revision }: ShortKeyParts): boolean {
  let expected =
    revision >= 3 ? applyRc4(key, md5(PASSWORD_PADDING, id)) : applyRc4(key, PASSWORD_PADDING);
  for (let round = 1; revision >= 3 && round <= 19; round += 1) {
    expected = applyRc4(
      key.map((byte) => byte ^ round),
      expected,
    );
  }
  return bytesIn(dict, 'U').subarray(0, expected.length).equals(expected);
}

/**
 * Returns the possible key lengths in bytes; with crypt filters 16, and the declared length if it
 * differs.
 */
function keyLengths(dict: PDFDict, version: number): readonly number[] {
  if (version === 1) return [5];
  const bits = numberIn(dict, 'Length') ?? 0;
  const written = bits >= 40 && bits <= 128 ? Math.floor(bits / 8) : 5;
  return version === 4 ? [16, written] : [written];
}

/** Returns the key of 256 bits (PDF 2.0, algorithm 2.A), or null if the empty password is wrong. */
function deriveLongKey(dict: PDFDict, revision: number): Buffer | null {
  if (revision !== 5 && revision !== 6) return null;
  const user = bytesIn(dict, 'U');
  const hash = (salt: Buffer) =>
    revision === 6 ? computeLongHash(salt) : createHash('sha256').update(salt).digest();
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return null;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), ZERO_VECTOR);
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(bytesIn(dict, 'UE').subarray(0, 32)), decipher.final()]);
}

/** Returns the cipher of strings (`StrF`) or streams (`StmF`); null if it is unknown. */
function cipherOf(dict: PDFDict, version: number, filter: 'StrF' | 'StmF'): Cipher | null {
  if (version < 4) return 'rc4';
  const name = dict.lookup(PDFName.of(filter));
  return name instanceof PDFName ? cipherByName(dict, version, name) : 'none';
}

function cipherByName(dict: PDFDict, version: number, name: PDFName): Cipher | null {
  if (name.asString() === '/Identity') return 'none';
  const filters = dict.lookup(PDFName.of('CF'));
  const found = filters instanceof PDFDict ? filters.lookup(name) : undefined;
  const method = found instanceof PDFDict ? nameIn(found, 'CFM') : '';
  if (method === '/None') return 'none';
  if (version === 4 && method === '/V2') return 'rc4';
  return method === (version === 4 ? '/AESV2' : '/AESV3') ? 'aes' : null;
}

/** Returns the key of one object (PDF 1.7, algorithm 1). */
function objectKey(key: Buffer, number: number, generation: number, cipher: Cipher): Buffer {
  const place = Buffer.alloc(5);
  place.writeUIntLE(number, 0, 3);
  place.writeUIntLE(generation, 3, 2);
  const salt = cipher === 'aes' ? AES_SALT : Buffer.alloc(0);
  return md5(key, place, salt).subarray(0, Math.min(key.length + 5, 16));
}

/**
 * Decrypts AES data. The first block is the initialisation vector; the last byte is the length of
 * the padding.
 */
function decryptAes(key: Buffer, data: Uint8Array): Uint8Array {
  const length = data.length - (data.length % AES_BLOCK_BYTES);
  if (length < 2 * AES_BLOCK_BYTES) return new Uint8Array();
  const name = key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc';
  const decipher = createDecipheriv(name, key, data.subarray(0, AES_BLOCK_BYTES));
  decipher.setAutoPadding(false);
  const plain = decipher.update(data.subarray(AES_BLOCK_BYTES, length));
  const padding = plain.at(-1) ?? 0;
  const isPadded = padding >= 1 && padding <= AES_BLOCK_BYTES;
  return new Uint8Array(isPadded ? plain.subarray(0, plain.length - padding) : plain);
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const nameIn = (dict: PDFDict, name: string): string => {
  const value = dict.lookup(PDFName.of(name));
  return value instanceof PDFName ? value.asString() : '';
};

const bytesIn = (dict: PDFDict, name: string): Buffer => {
  const value = dict.lookup(PDFName.of(name));
  const isText = value instanceof PDFString || value instanceof PDFHexString;
  return Buffer.from(isText ? value.asBytes() : []);
};
