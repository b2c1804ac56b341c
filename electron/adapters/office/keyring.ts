import { randomBytes } from 'node:crypto';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { OfficeKey } from './seal.ts';

const KEY_BYTES = 32;
const Key = z.object({
  version: z.int().min(1),
  key: z.base64(),
  /** Null where the seat may not see personal numbers. */
  numbers: z.base64().nullable().default(null),
});

/** What a desk keeps in the credential store. */
export const SeatSecret = z.object({
  password: z.string(),
  /** The private key of the seat, which opens wrapped keys. */
  identity: z.string(),
  /** The same for as long as the office is. */
  claims: z.base64(),
  keys: z.array(Key).min(1),
});
export type SeatSecret = z.infer<typeof SeatSecret>;

const Wrapped = Key.extend({ office: z.uuid() });

/** Other keys of the office: the first, or those that follow `version`. */
export function newKey(version = 0): OfficeKey {
  return { version: version + 1, key: randomBytes(KEY_BYTES), numbers: randomBytes(KEY_BYTES) };
}

/** As a seat gets it. */
export const keyFor = (key: OfficeKey, maySeeNumbers: boolean): OfficeKey =>
  maySeeNumbers ? key : { ...key, numbers: null };

export const newClaimsSecret = (): string => randomBytes(KEY_BYTES).toString('base64');

export const newIdentity = (): Promise<string> => generateX25519Identity();

export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity);

export const keysOf = ({ keys }: SeatSecret): readonly OfficeKey[] => keys.map(read);

const read = ({ version, key, numbers }: z.infer<typeof Key>): OfficeKey => ({
  version,
  key: Buffer.from(key, 'base64'),
  numbers: numbers === null ? null : Buffer.from(numbers, 'base64'),
});

export const written = ({ version, key, numbers }: OfficeKey): SeatSecret['keys'][number] => ({
  version,
  key: Buffer.from(key).toString('base64'),
  numbers: numbers === null ? null : Buffer.from(numbers).toString('base64'),
});

export function newestOf(keys: readonly OfficeKey[]): OfficeKey {
  const [first, ...others] = keys;
  if (first === undefined) throw new AppError('unexpected', 'An office has a key');
  return others.reduce((newest, one) => (one.version > newest.version ? one : newest), first);
}

/** For one seat's public key. What it is of stands within, so that it can't be given for another. */
export async function wrap(office: string, key: OfficeKey, recipient: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(JSON.stringify({ office, ...written(key) }));
}

const HandoverKey = z.object({ office: z.uuid(), handover: z.base64() });

/** A new key for what one seat gives to another, wrapped for these public keys. */
export async function wrapHandoverKey(office: string, recipients: readonly string[]) {
  const key = randomBytes(KEY_BYTES);
  const encrypter = new Encrypter();
  for (const one of recipients) encrypter.addRecipient(one);
  const text = JSON.stringify({ office, handover: key.toString('base64') });
  return { key, wrapped: await encrypter.encrypt(text) };
}

/** Throws as `unwrap` does. */
export async function unwrapHandoverKey(
  office: string,
  wrapped: Uint8Array,
  identity: string,
): Promise<Uint8Array> {
  try {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const text: unknown = JSON.parse(await decrypter.decrypt(wrapped, 'text'));
    const found = HandoverKey.parse(text);
    if (found.office === office) return Buffer.from(found.handover, 'base64');
  } catch (cause) {
    throw damaged(cause);
  }
  throw damaged();
}

/** Throws 'storage' with 'data-damaged' for what is not this key of this office, or another seat's. */
export async function unwrap(
  office: string,
  version: number,
  wrapped: Uint8Array,
  identity: string,
): Promise<OfficeKey> {
  try {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const text: unknown = JSON.parse(await decrypter.decrypt(wrapped, 'text'));
    const found = Wrapped.parse(text);
    if (found.office === office && found.version === version) return read(found);
  } catch (cause) {
    throw damaged(cause);
  }
  throw damaged();
}

function damaged(cause?: unknown): AppError {
  const message = 'The office’s server gave a key that no desk wrapped for this seat';
  return new AppError('storage', message, { reason: 'data-damaged', cause });
}
