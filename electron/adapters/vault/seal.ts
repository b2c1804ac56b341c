import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { ScryptCost } from './key-source.ts';
import { vaultError } from './error.ts';

const CIPHER = 'aes-256-gcm';
/** Standard length of a GCM nonce (bytes); a new nonce is drawn for each sealing. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;

const Base64 = z.base64();

/**
 * Returns the shape of the header that states how the key is derived. The header is part of the
 * authenticated data.
 */
const keyHeader = ({ N, r, p }: ScryptCost) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keyfile') }),
    z.object({
      kind: z.literal('passphrase'),
      salt: Base64,
      // The cost is fixed: an untrusted file must not choose the memory that scrypt uses.
      N: z.literal(N),
      r: z.literal(r),
      p: z.literal(p),
    }),
  ]);
export type KeyHeader = z.infer<ReturnType<typeof keyHeader>>;

const sealedFile = (cost: ScryptCost) =>
  z.object({
    format: z.literal(1),
    key: keyHeader(cost),
    nonce: Base64,
    /** Ciphertext followed by the GCM tag. */
    sealed: Base64,
  });
export type SealedFile = z.infer<ReturnType<typeof sealedFile>>;

export const Entries = z.record(z.string(), z.string());
export type Entries = z.infer<typeof Entries>;

export function newKeyHeader(kind: KeyHeader['kind'], { N, r, p }: ScryptCost): KeyHeader {
  if (kind === 'keyfile') return { kind };
  return { kind, salt: randomBytes(SALT_BYTES).toString('base64'), N, r, p };
}

/**
 * Parses a sealed vault. Throws 'vault-wrong-key' if the text is not one, or uses another scrypt
 * cost.
 */
export function parseSealed(text: string, cost: ScryptCost): SealedFile {
  try {
    return sealedFile(cost).parse(JSON.parse(text));
  } catch (error) {
    throw vaultError('wrong-key', 'The file of stored passwords and keys is damaged', error);
  }
}

export function seal(entries: Entries, header: KeyHeader, key: Uint8Array): SealedFile {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(authenticatedDataOf(header));
  const sealed = Buffer.concat([
    cipher.update(JSON.stringify(entries), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const encoded = { nonce: nonce.toString('base64'), sealed: sealed.toString('base64') };
  return { format: 1, key: header, ...encoded };
}

/**
 * Decrypts the entries. Throws 'vault-wrong-key' if the key does not match or the file was changed.
 */
export function unseal(file: SealedFile, key: Uint8Array): Entries {
  const sealed = Buffer.from(file.sealed, 'base64');
  try {
    const nonce = Buffer.from(file.nonce, 'base64');
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(authenticatedDataOf(file.key))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const body = decipher.update(sealed.subarray(0, -TAG_BYTES));
    const text = Buffer.concat([body, decipher.final()]).toString('utf8');
    return Entries.parse(JSON.parse(text));
  } catch (error) {
    throw vaultError(
      'wrong-key',
      'The file of stored passwords and keys cannot be opened with this key',
      error,
    );
  }
}

function authenticatedDataOf(header: KeyHeader): Buffer {
  return Buffer.from(JSON.stringify(header), 'utf8');
}
