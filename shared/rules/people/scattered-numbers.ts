import { hasLuhnDigit } from '../identifiers/identity-sweden.ts';
import { judgeNorwegian } from '../identifiers/identity-norway.ts';
import type { Day } from '../time/days.ts';

/*
 * Personal numbers with signs anywhere between their digits, as in `85 07 09 98 05`. So many other digits look
 * like these that the check digit has to be right.
 */

/** At most two signs that are neither letters nor digits stand between two digits. */
const RUN = /\d(?:[^\p{L}\p{N}]{0,2}\d)*/gu;
const SWEDISH =
  /^(?:1[6-9]|20)?\d{2}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]|[6-9]\d)|00[6-9]\d)\d{4}$/u;
/** A number that begins with 07 is a mobile, spelled as people spell them. */
const MOBILE = /^07\d{8}$/u;
const TIME_OF_DAY = /^\d{2,4}[-./]\d{2}[-./]\d{2},? (?:[01]\d|2[0-3])[:.][0-5]\d$/u;
const LENGTHS = [10, 11, 12] as const;
/** No birthday lies in the future of it. */
const FOREVER: Day = '9999-12-31';

/** Where each is: the places of its first sign and behind its last. */
export function scatteredNumbers(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(RUN)].flatMap((run) => {
    const places = [...run[0].matchAll(/\d/gu)].map((digit) => run.index + digit.index);
    return places.flatMap((start, from) =>
      places[from - 1] === start - 1 ? [] : (numberAt(text, places.slice(from, from + 13)) ?? []),
    );
  });
}

/** The number that begins with the first of these digits and ends with the last of a group. */
function numberAt(text: string, places: readonly number[]): [readonly [number, number]] | null {
  const start = places[0] ?? 0;
  for (const length of LENGTHS) {
    const last = places[length - 1];
    if (last === undefined || places[length] === last + 1) continue;
    const written = text.slice(start, last + 1);
    const digits = places
      .slice(0, length)
      .map((place) => text.charAt(place))
      .join('');
    if (isNumber(digits) && !TIME_OF_DAY.test(written)) return [[start, last + 1]];
  }
  return null;
}

function isNumber(digits: string): boolean {
  if (digits.length === 11) return judgeNorwegian(digits, FOREVER).verdict !== 'wrong';
  return SWEDISH.test(digits) && !MOBILE.test(digits) && hasLuhnDigit(digits.slice(-10));
}
