import { EXCESS_COMBINING_MARKS } from './long-marks.ts';

/**
 * Form for comparing names: ignores spaces, Unicode forms and invisible characters, because a
 * service may normalise them (neither API documents how it stores a name).
 */
export function tidiedName(name: string): string {
  if (PLAIN_NAME_PATTERN.test(name)) return name;
  return name
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .replaceAll(FORMAT_CHARACTERS, '')
    .replaceAll(BLANKS_PATTERN, ' ')
    .trim();
}

/** Name that needs no change, as nearly every name. */
const PLAIN_NAME_PATTERN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const FORMAT_CHARACTERS = /\p{Cf}/gu;
const BLANKS_PATTERN = /[\s\p{Cc}]+/gu;
