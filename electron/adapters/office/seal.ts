import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AppError, isReason } from '../../../shared/errors.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** One version of an office key: 32 random bytes. */
export interface SealingKey {
  readonly version: number;
  readonly key: Uint8Array;
}

export interface OfficeKey extends SealingKey {
  /** Key that seals personal numbers; null for a user who may not see them. */
  readonly numbers: Uint8Array | null;
}

/** Returns the key for personal numbers. Throws 'forbidden' for a user who may not see them. */
export function personNumbersKey({ version, numbers }: OfficeKey): SealingKey {
  if (numbers !== null) return { version, key: numbers };
  throw new AppError('forbidden', 'This user may not see personal numbers');
}

/** Binding of a sealed text; the text opens with no other binding. */
export interface SealedFor {
  readonly office: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
}

export const sealText = (key: SealingKey, of: SealedFor, text: string): Uint8Array =>
  sealBytes(key, of, Buffer.from(text, 'utf8'));

/** Opens a sealed text. Throws as `unsealBytes` does. */
export const unsealText = (key: SealingKey, of: SealedFor, sealed: Uint8Array): string =>
  unsealBytes(key, of, sealed).toString('utf8');

/** Seals data. Returns nonce, ciphertext and tag. */
export function sealBytes(
  { key, version }: SealingKey,
  of: SealedFor,
  data: Uint8Array,
): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedDataOf(of, version));
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/**
 * Opens sealed data. Throws 'storage' with 'data-damaged' if the data was sealed with another
 * binding or key.
 */
export function unsealBytes(
  { key, version }: SealingKey,
  of: SealedFor,
  sealed: Uint8Array,
): Buffer {
  try {
    const [end, options] = [sealed.length - TAG_BYTES, { authTagLength: TAG_BYTES }];
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, options)
      .setAAD(associatedDataOf(of, version))
      .setAuthTag(sealed.subarray(end));
    const data = decipher.update(sealed.subarray(NONCE_BYTES, end));
    return Buffer.concat([data, decipher.final()]);
  } catch (cause) {
    throw new AppError('storage', 'Data from the office’s server was damaged or changed', {
      reason: 'data-damaged',
      cause,
    });
  }
}

/**
 * Returns the result of `read`; null for malformed content, or for a key that this user never got.
 * Other errors are rethrown.
 */
export async function nullIfUnreadable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    // Every user with the key can seal content that is not JSON, or has another shape.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    if (isReason(error, 'data-damaged')) return null;
    throw error;
  }
}

/**
 * Returns 32 bytes that are the same at every computer of the office, and reveal nothing to the
 * office's server. `secret` never changes during the life of the office: with another secret, the
 * same operation could be claimed twice.
 */
export function claimKey(secret: Uint8Array, parts: readonly string[]): Uint8Array {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

function associatedDataOf({ office, kind, id, version }: SealedFor, keyVersion: number): Buffer {
  return Buffer.from(JSON.stringify([office, kind, id, version, keyVersion]), 'utf8');
}
