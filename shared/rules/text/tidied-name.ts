import { EXCESS_COMBINING_MARKS } from './long-marks.ts';

/**
 * Form for comparing names: ignores spaces, Unicode forms and invisible characters, because a
 * service may normalise them (neither API documents how it stores a name).
 */
export function tidiedName(name: string): string {
  if (PLAIN.test(name)) return name;
  return name
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .replaceAll(FORMAT_CHARACTERS, '')
    .replaceAll(BLANKS, ' ')
    .trim();
}

/** Name that needs no change, as nearly every name. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const FORMAT_CHARACTERS = /\p{Cf}/gu;
const BLANKS = /[\s\p{Cc}]+/gu;
