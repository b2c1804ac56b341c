import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { AppError } from '../../../shared/errors.ts';
import type { BackupKeys } from '../../core/backup/ports.ts';
import { readPhrase } from '../system/phrase.ts';

/**
 * Base-2 logarithm of scrypt's N. Low, since a phrase of 128 random bits needs no slow derivation.
 */
const PHRASE_WORK_FACTOR = 14;
const IDENTITY = /^AGE-SECRET-KEY-1[0-9A-Z]+$/mu;

/**
 * Creates a key pair: backups are encrypted to the public key, and contain the private key,
 * encrypted under the phrase. The phrase is needed only to create the keys and to open a backup.
 * @param work base-2 logarithm of scrypt's N for the phrase.
 */
export async function makeKeys(phrase: string, work = PHRASE_WORK_FACTOR): Promise<BackupKeys> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(readPhrase(phrase));
  encrypter.setScryptWorkFactor(work);
  return {
    recipient: await identityToRecipient(identity),
    wrapped: await encrypter.encrypt(`${identity}\n`),
  };
}

/**
 * Returns the private key for the backup that contains `wrapped`. `secret` is a phrase, or the text
 * of an age key file, whose key is not checked by this function. Throws 'invalid' with
 * 'phrase-wrong' if the secret is not a phrase, and 'phrase-other' if it is the phrase of another
 * backup.
 */
export async function openKeys(wrapped: Uint8Array, secret: string): Promise<string> {
  const own = IDENTITY.exec(secret)?.[0];
  if (own !== undefined) return own;
  const decrypter = new Decrypter();
  decrypter.addPassphrase(readPhrase(secret));
  try {
    return (await decrypter.decrypt(wrapped, 'text')).trim();
  } catch (cause) {
    throw new AppError('invalid', 'The backup does not open with these twelve words', {
      reason: 'phrase-other',
      fields: { phrase: 'Does not open this backup' },
      cause,
    });
  }
}

export function wrongBackupKeyError(cause?: unknown): AppError {
  return new AppError('invalid', 'The backup does not open with this key file', {
    reason: 'key-wrong',
    fields: { key: 'Does not open this backup' },
    cause,
  });
}

/** Throws 'invalid' if the text is not a public age key. */
export function checkRecipient(text: string): void {
  try {
    new Encrypter().addRecipient(text);
  } catch (cause) {
    const message = 'The administrator’s key must be a public age key (age1…)';
    throw new AppError('invalid', message, { fields: { administrator: message }, cause });
  }
}
