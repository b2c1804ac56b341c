import { randomBytes } from 'node:crypto';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { OfficeKey } from './seal.ts';

const KEY_BYTES = 32;
/**
 * Maximum number of stanzas of a wrapped key: two users, and some that a later version of age may
 * add. Each stanza costs one operation on an elliptic curve.
 */
const MAX_STANZAS = 4;
const Key = z.object({
  version: z.int().min(1),
  key: z.base64(),
  /** Key that seals personal numbers; null if the user may not see them. */
  numbers: z.base64().nullable().default(null),
});

/** Content of the entry in the credential store. */
export const SeatSecret = z.object({
  password: z.string(),
  /** Private key of the user, which opens wrapped keys. */
  identity: z.string(),
  /** Secret for the keys of claims, which never changes during the life of the office. */
  claims: z.base64(),
  keys: z.array(Key).min(1),
});
export type SeatSecret = z.infer<typeof SeatSecret>;

const WrappedKey = Key.extend({ office: z.uuid() });

/** Creates keys of the office: the first version, or the one after `version`. */
export function newKey(version = 0): OfficeKey {
  return { version: version + 1, key: randomBytes(KEY_BYTES), numbers: randomBytes(KEY_BYTES) };
}

export const keyFor = (key: OfficeKey, maySeeNumbers: boolean): OfficeKey =>
  maySeeNumbers ? key : { ...key, numbers: null };

export const newClaimsSecret = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * Whether a key can be encrypted for this public key. Each user wrote their own public key, so it
 * may be malformed.
 */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

export const newIdentity = (): Promise<string> => generateX25519Identity();

export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity);

export const keysOf = ({ keys }: SeatSecret): readonly OfficeKey[] => keys.map(parseOfficeKey);

const parseOfficeKey = ({ version, key, numbers }: z.infer<typeof Key>): OfficeKey => ({
  version,
  key: Buffer.from(key, 'base64'),
  numbers: numbers === null ? null : Buffer.from(numbers, 'base64'),
});

export const toStoredKey = ({ version, key, numbers }: OfficeKey): SeatSecret['keys'][number] => ({
  version,
  key: Buffer.from(key).toString('base64'),
  numbers: numbers === null ? null : Buffer.from(numbers).toString('base64'),
});

export function newestOf(keys: readonly OfficeKey[]): OfficeKey {
  const [first, ...others] = keys;
  if (first === undefined) throw new AppError('unexpected', 'The keys of the office are missing');
  return others.reduce((newest, one) => (one.version > newest.version ? one : newest), first);
}

/**
 * Encrypts a key for a user's public key, together with the ID of the office, so that another
 * office cannot use it.
 */
export function wrapKey(office: string, key: OfficeKey, recipient: string): Promise<Uint8Array> {
  return encryptFor([recipient], { office, ...toStoredKey(key) });
}

const HandoverKey = z.object({ office: z.uuid(), handover: z.base64() });

/** Creates a key for one handover and encrypts it for the public keys of its two users. */
export async function wrapHandoverKey(office: string, recipients: readonly string[]) {
  const key = randomBytes(KEY_BYTES);
  const handover = key.toString('base64');
  return { key, wrapped: await encryptFor(recipients, { office, handover }) };
}

/** Opens the key of a handover. Throws as `unwrapKey` does. */
export async function unwrapHandoverKey(
  office: string,
  wrapped: Uint8Array,
  identity: string,
): Promise<Uint8Array> {
  const found = await decryptWith(identity, wrapped, HandoverKey);
  if (found.office !== office) throw damagedKeyError();
  return Buffer.from(found.handover, 'base64');
}

/**
 * Opens a wrapped key. Throws 'storage' with 'data-damaged' if it is not this version of the key of
 * this office, or was wrapped for another user.
 */
export async function unwrapKey(
  office: string,
  version: number,
  wrapped: Uint8Array,
  identity: string,
): Promise<OfficeKey> {
  const found = await decryptWith(identity, wrapped, WrappedKey);
  if (found.office !== office || found.version !== version) throw damagedKeyError();
  return parseOfficeKey(found);
}

function encryptFor(recipients: readonly string[], content: object): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(JSON.stringify(content));
}

/**
 * Decrypts content. Throws 'storage' with 'data-damaged' if it was not encrypted for `identity`, or
 * has another shape.
 */
async function decryptWith<Content>(
  identity: string,
  wrapped: Uint8Array,
  shape: z.ZodType<Content>,
): Promise<Content> {
  if (hasManyStanzas(wrapped)) throw damagedKeyError();
  try {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    return shape.parse(JSON.parse(await decrypter.decrypt(wrapped, 'text')));
  } catch (cause) {
    throw damagedKeyError(cause);
  }
}

/**
 * Whether an age header has more recipients than the program writes; the header is read without
 * decrypting.
 */
function hasManyStanzas(file: Uint8Array): boolean {
  const text = Buffer.from(file).toString('latin1');
  // Body lines of the header contain no arrow, and the header ends with the line of its MAC.
  const end = text.indexOf('\n---');
  return text.slice(0, end === -1 ? text.length : end).split('\n-> ').length - 1 > MAX_STANZAS;
}

function damagedKeyError(cause?: unknown): AppError {
  const message = 'The office’s server gave a key that was not made for this user';
  return new AppError('storage', message, { reason: 'data-damaged', cause });
}
