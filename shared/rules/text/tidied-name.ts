import { LONG_MARKS } from './long-marks.ts';

/**
 * A name as names are compared: blanks, forms of Unicode and signs that nobody sees make it no other
 * one, since a service may tidy them (neither API says what it keeps of a name).
 */
export function tidiedName(name: string): string {
  if (PLAIN.test(name)) return name;
  return name
    .replaceAll(LONG_MARKS, '')
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(BLANKS, ' ')
    .trim();
}

/** Nearly every name: nothing to tidy. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const UNSEEN = /\p{Cf}/gu;
const BLANKS = /[\s\p{Cc}]+/gu;
