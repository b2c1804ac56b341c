import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';

/** Lines around the Base64 text of a PEM file, and white space. */
const PEM_WRAPPING = /-----[A-Z ]+-----|\s/g;

/**
 * Parses the Ed25519 public key of a PEM file, with or without its first and last line.
 * @throws AppError 'invalid' for `key`.
 */
export function readKey(text: string): KeyObject {
  const der = Buffer.from(bareKey(text), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Every error has the same remedy, so the cause is not reported.
  }
  const message = 'The key for updates is not an Ed25519 public key';
  throw new AppError('invalid', message, { reason: 'update-key', fields: { key: message } });
}

/** Returns the key in the form in which it is stored and compared. */
export const bareKey = (text: string): string => text.replaceAll(PEM_WRAPPING, '');

/**
 * Returns a fingerprint for comparing keys, in OpenSSH's format; also for a text that is not a key.
 */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(bareKey(key), 'base64'))
    .digest('base64');
  return `SHA256:${digest.replaceAll('=', '')}`;
}
