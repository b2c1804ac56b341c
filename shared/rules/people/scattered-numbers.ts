import { hasLuhnDigit } from '../identifiers/identity-sweden.ts';
import { validateNorwegian } from '../identifiers/identity-norway.ts';
import type { Day } from '../time/days.ts';

/*
 * Personal numbers with signs between any of their digits, as in `85 07 09 98 05`. The check digit
 * must be right, because many other groups of digits have the same form.
 */

/** Digits with at most two signs, neither letters nor digits, between two of them. */
const DIGIT_RUN = /\d(?:[^\p{L}\p{N}]{0,2}\d)*/gu;
const SWEDISH_DIGITS_PATTERN =
  /^(?:1[6-9]|20)?\d{2}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]|[6-9]\d)|00[6-9]\d)\d{4}$/u;
/** Mobile number, which is skipped: its digits often form a valid date. */
const MOBILE_DIGITS_PATTERN = /^07\d{8}$/u;
const DATE_AND_TIME_PATTERN = /^\d{2,4}[-./]\d{2}[-./]\d{2},? (?:[01]\d|2[0-3])[:.][0-5]\d$/u;
const NUMBER_LENGTHS = [10, 11, 12] as const;
/** Day later than any birth date, so that no birth date is rejected as in the future. */
const LAST_POSSIBLE_DAY: Day = '9999-12-31';

/** Start and end (exclusive) of each number in the text. */
export function scatteredNumbers(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(DIGIT_RUN)].flatMap((run) => {
    const places = [...run[0].matchAll(/\d/gu)].map((digit) => run.index + digit.index);
    return places.flatMap((start, from) =>
      places[from - 1] === start - 1 ? [] : (numberAt(text, places.slice(from, from + 13)) ?? []),
    );
  });
}

/** Finds a number that starts at the first of the digits and ends at the end of a digit group. */
function numberAt(text: string, places: readonly number[]): [readonly [number, number]] | null {
  const start = places[0] ?? 0;
  for (const length of NUMBER_LENGTHS) {
    const last = places[length - 1];
    if (last === undefined || places[length] === last + 1) continue;
    const written = text.slice(start, last + 1);
    const digits = places
      .slice(0, length)
      .map((place) => text.charAt(place))
      .join('');
    if (isNumber(digits) && !DATE_AND_TIME_PATTERN.test(written)) return [[start, last + 1]];
  }
  return null;
}

function isNumber(digits: string): boolean {
  if (digits.length === 11) return validateNorwegian(digits, LAST_POSSIBLE_DAY).verdict !== 'wrong';
  return (
    SWEDISH_DIGITS_PATTERN.test(digits) &&
    !MOBILE_DIGITS_PATTERN.test(digits) &&
    hasLuhnDigit(digits.slice(-10))
  );
}
