import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';

/** What PEM puts around the Base64, and between its lines. */
const AROUND = /-----[A-Z ]+-----|\s/g;

/**
 * The Ed25519 public key of a PEM file, with or without its first and last line.
 * @throws AppError 'invalid' for `key`.
 */
export function readKey(text: string): KeyObject {
  const der = Buffer.from(bareKey(text), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Whatever is wrong with it, the same has to be done.
  }
  const message = 'The key is not an Ed25519 public key';
  throw new AppError('invalid', message, { reason: 'update-key', fields: { key: message } });
}

/** The key as it is kept and compared. */
export const bareKey = (text: string): string => text.replaceAll(AROUND, '');

/** By which two people compare a key, as OpenSSH writes one; of a text that is no key, too. */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(bareKey(key), 'base64'))
    .digest('base64');
  return `SHA256:${digest.replaceAll('=', '')}`;
}
