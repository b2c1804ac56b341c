/*
 * Formats of personal numbers within a text. Only the format is compared, never a check digit: a
 * number with a typing error still identifies a person.
 */

const MONTH_PATTERN = String.raw`(?:0[1-9]|1[0-2])`;
/**
 * Day of a birth date. Norway's D-numbers add 40 to the day; Sweden's co-ordination numbers and
 * Denmark's replacement numbers add 60.
 */
const DAY_PATTERN = String.raw`(?:0[1-9]|[12]\d|3[01]|[4-9]\d)`;
/** Birth date in Sweden; the month of a co-ordination number may be unknown (00). */
const SWEDISH_DATE = String.raw`\d{2}(?:${MONTH_PATTERN}${DAY_PATTERN}|00[6-9]\d)`;
/** Month in Norway: help numbers add 40 to the month, synthetic numbers 80. */
const NORWEGIAN_MONTH = String.raw`(?:0[1-9]|1[0-2]|4[1-9]|5[0-2]|8[1-9]|9[0-2])`;
const DASH_PATTERN = String.raw`[-+−–\u00a0 ]?`;

/** Conditions for the text around a number. */
interface Bounds {
  readonly start: string;
  readonly stop: string;
}

/** Returns a global regular expression for each format, for `replaceAll` and `match`. */
export function numberPatterns({ start, stop }: Bounds): readonly RegExp[] {
  const within = (form: string): string => start + form + stop;
  return [
    // Sweden, ten or twelve digits; an interim number contains a letter.
    new RegExp(within(String.raw`(?:1[6-9]|20)?${SWEDISH_DATE}${DASH_PATTERN}\d{4}`), 'g'),
    new RegExp(within(String.raw`(?:1[6-9]|20)?${SWEDISH_DATE}[-+]?[A-Z]\d{3}`), 'g'),
    // Denmark and Norway: the day comes first.
    new RegExp(within(String.raw`${DAY_PATTERN}${MONTH_PATTERN}\d{2}${DASH_PATTERN}\d{4,5}`), 'g'),
    new RegExp(within(String.raw`${DAY_PATTERN}${NORWEGIAN_MONTH}\d{2}${DASH_PATTERN}\d{5}`), 'g'),
    // Finland: a century sign, and a letter or digit as check character.
    new RegExp(
      within(String.raw`${DAY_PATTERN}${MONTH_PATTERN}\d{2}[-+A-FYXWVU]\d{3}[0-9A-Y]`),
      'gi',
    ),
    // A date with separators, and the last four digits.
    new RegExp(
      within(String.raw`(?:18|19|20)\d{2}([-./ ])${MONTH_PATTERN}\1${DAY_PATTERN}[-+./ ]?\d{4}`),
      'g',
    ),
  ];
}

/** One to four separators, as in a row of dots. */
const LOOSE_SEPARATORS = '(?: ?[-./_:;,*·)]){1,4}';

/** Further formats that also match other texts, for data that must not contain any number. */
export function looseNumberPatterns({ start, stop }: Bounds): readonly RegExp[] {
  const within = (form: string): RegExp => new RegExp(start + form + stop, 'gi');
  return [
    within(String.raw`\(?(?:1[6-9]|20)?${SWEDISH_DATE}${LOOSE_SEPARATORS} ?\d{4}`),
    within(String.raw`\(?${DAY_PATTERN}${NORWEGIAN_MONTH}\d{2}${LOOSE_SEPARATORS} ?\d{4,5}`),
    // Dates with separators and a two-digit year, which comes first or last.
    within(String.raw`\d{2}([-./ ])${MONTH_PATTERN}\1${DAY_PATTERN}[-+./ ]?\d{4}`),
    within(String.raw`${DAY_PATTERN}([-./ ])${NORWEGIAN_MONTH}\1\d{2}[-+./ ]?\d{4,5}`),
    within(String.raw`${DAY_PATTERN}([-./ ])${MONTH_PATTERN}\1\d{2}[-+A-FYXWVU]\d{3}[0-9A-Y]`),
  ];
}
