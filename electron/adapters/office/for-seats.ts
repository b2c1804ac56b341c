import * as z from 'zod';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import {
  type NumberFreePaths,
  containsPersonNumber,
  withMaskedNumbers,
} from '../../../shared/rules/people/personal-numbers.ts';
import {
  personNumbersKey,
  type OfficeKey,
  nullIfUnreadable,
  sealText,
  type SealedFor,
  unsealText,
} from './seal.ts';

/**
 * Second copy of the content, with personal numbers and sealed separately. It is stored next to the
 * content for every user.
 */
const NumbersContent = z.object({ numbers: z.base64() });

const sealedForNumbers = (of: SealedFor): SealedFor => ({
  ...of,
  kind: `${of.kind}, with numbers`,
});

interface UnsealedContent {
  readonly value: unknown;
  /** False if this user may not see the personal numbers in the value; dots replace them. */
  readonly isWhole: boolean;
}

/**
 * Seals content that every user reads. Personal numbers in the content, and their hashes, are only
 * for users who may see them; a user without that right omits even their own. Values at `given`
 * stay unmasked, because other users search for them.
 */
export function sealForSeats(
  key: OfficeKey,
  of: SealedFor,
  value: object,
  given: NumberFreePaths = [],
): Uint8Array {
  const text = JSON.stringify(value);
  const content = z.record(z.string(), z.json()).parse(JSON.parse(text));
  if (!containsPersonNumber(content, given)) return sealText(key, of, text);
  const numbers =
    key.numbers === null
      ? ''
      : Buffer.from(sealText(personNumbersKey(key), sealedForNumbers(of), text)).toString('base64');
  return sealText(
    key,
    of,
    JSON.stringify({ ...toObject(withMaskedNumbers(content, given)), numbers }),
  );
}

/**
 * Opens content as far as this user may see it. Throws 'storage' with 'data-damaged' as `unsealText`
 * does.
 */
export function unsealForSeat(key: OfficeKey, of: SealedFor, sealed: Uint8Array): UnsealedContent {
  const value: unknown = JSON.parse(unsealText(key, of, sealed));
  const whole = NumbersContent.safeParse(value);
  if (!whole.success) return { value, isWhole: true };
  if (key.numbers === null || whole.data.numbers === '') return { value, isWhole: false };
  const inner = Buffer.from(whole.data.numbers, 'base64');
  return {
    value: JSON.parse(unsealText(personNumbersKey(key), sealedForNumbers(of), inner)),
    isWhole: true,
  };
}

/** Returns the content as `shape`; null if no key of this user opens it, or if it is malformed. */
export function readForSeat<Value>(
  keyOf: (version: number) => Promise<OfficeKey>,
  { sealed, keyVersion }: { readonly sealed: Uint8Array; readonly keyVersion: number },
  of: SealedFor,
  shape: z.ZodType<Value>,
): Promise<Value | null> {
  return nullIfUnreadable(async () => {
    const { value } = unsealForSeat(await keyOf(keyVersion), of, sealed);
    return shape.safeParse(value).data ?? null;
  });
}

const toObject = (value: Json): object =>
  typeof value === 'object' && value !== null ? value : {};
