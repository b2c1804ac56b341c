import { cleanText, isShortened } from '../text/clean-text.ts';
import { calendarDay, type Day, yearsBetween } from '../time/days.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  type ValidationReason,
  invalidResult,
} from '../text/verdict.ts';

/*
 * | Rule                                              | Source                                    |
 * | ------------------------------------------------- | ----------------------------------------- |
 * | check digit over YYMMDDNNN, never the century     | Skatteverket, personnummer (SKV M 2010:3) |
 * | `+` from 1 January of the year one turns 100      | Skatteverket, personnummer                |
 * | twelve digits, century 18, 19 or 20               | Skatteverket, SPAR                        |
 * | day + 60; month 00 and day 60: the date is unknown | Skatteverket, samordningsnummer           |
 * | a day its month lacks, such as 31 April, is given  | Skatteverket, samordningsnummer for tests |
 * | a letter for the first of the last four digits     | interim numbers; both services want digits |
 * | months from 20: an organisation                   | Skatteverket, organisationsnummer         |
 */

const SWEDISH_NUMBER_PATTERN = /^(\d{2})?(\d{2})(\d{2})(\d{2})([-+]?)(\d{3})(\d)$/;
/** Interim number such as `850709-T805`, which a county uses until the person has a number. */
const INTERIM_NUMBER_PATTERN = /^(?:18|19|20)?\d{6}[-+]?[A-Z]\d{3}$/i;
const TWELVE_DIGIT_ORGANISATION_PATTERN = /^16\d{6}-?\d{4}$/;
const COORDINATION_NUMBER_OFFSET = 60;
const MAX_DAYS = 31;
/** Number of days tried, from the stated one back: February may lack the 29th, 30th and 31st. */
const MAX_MISSING_DAYS_IN_MONTH = 4;
/** Minimum of the two digits of the month in an organisation number. */
const ORGANISATION_MONTH = 20;
/**
 * Age in years below which people seldom sign: a two-digit year that gives a lower age more likely
 * means a person a hundred years older.
 */
const USUAL_SIGNING_AGE_YEARS = 16;
/** Maximum age (years), greater than any known age; an explicit century is accepted anyway. */
const MAX_AGE_YEARS = 125;

interface SwedishNumberParts {
  readonly century: string | null;
  readonly year: string;
  readonly month: number;
  readonly day: number;
  readonly sign: string;
  readonly tenDigits: string;
}

/**
 * Validates a Swedish personal or co-ordination number in any format; `value` has twelve digits. If
 * ten digits leave the century open, `value` has only ten digits and the reason is `century`: see
 * `swedishChoices`. A number with a wrong check digit is only suspicious, because the services
 * check only the format.
 */
export function validateSwedish(text: string, today: Day): ValidationResult {
  const cleaned = cleanText(text).replaceAll(' ', '');
  const parts = partsOf(cleaned);
  if (parts === null) return invalidResult(cleaned, swedishNumberProblem(cleaned));
  if (parts.month >= ORGANISATION_MONTH) return invalidResult(cleaned, 'organisation');
  if (parts.tenDigits.slice(6, 9) === '000') return invalidResult(cleaned, 'form');
  const years = yearsOf(parts, today);
  const born = years.flatMap((year) => birthDay(year, parts) ?? []);
  const [newest] = born.filter((day) => day <= today).toSorted((a, b) => (a < b ? 1 : -1));
  if (newest === undefined)
    return invalidResult(cleaned, born.length === 0 ? 'birth-date' : 'future');
  if (contradictsSign(parts, today)) return invalidResult(cleaned, 'century');
  if (hasAmbiguousCentury(parts, years, today)) return suspiciousResult(parts.tenDigits, 'century');
  const value = newest.slice(0, 2) + parts.tenDigits;
  if (!hasLuhnDigit(parts.tenDigits)) return suspiciousResult(value, 'check-digit');
  const isUnheardOf = parts.century === null && yearsBetween(newest, today) > MAX_AGE_YEARS;
  return isUnheardOf ? suspiciousResult(value, 'old-age') : validResult(value);
}

/**
 * Twelve-digit numbers that a ten-digit number may mean, youngest first, for the user to choose
 * from. Empty if there are not several.
 */
export function swedishChoices(text: string, today: Day): readonly string[] {
  const parts = partsOf(cleanText(text).replaceAll(' ', ''));
  if (parts === null) return [];
  const years = yearsOf(parts, today);
  if (!hasAmbiguousCentury(parts, years, today)) return [];
  return years
    .filter((year) => (birthDay(year, parts) ?? '9999') <= today)
    .map((year) => String(year).slice(0, 2) + parts.tenDigits);
}

/** Whether the last of ten digits is the check digit of the other nine (Luhn). */
export function hasLuhnDigit(tenDigits: string): boolean {
  const sum = [...tenDigits].reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

function partsOf(cleaned: string): SwedishNumberParts | null {
  const found = SWEDISH_NUMBER_PATTERN.exec(cleaned);
  if (found === null) return null;
  const [, century, year = '', month = '', day = '', sign = '', serial = '', check = ''] = found;
  if (century !== undefined && !['18', '19', '20'].includes(century)) return null;
  return {
    century: century ?? null,
    year,
    month: Number(month),
    day: Number(day),
    sign,
    tenDigits: year + month + day + serial + check,
  };
}

/** Possible years of birth, youngest first. */
function yearsOf({ century, year, sign }: SwedishNumberParts, today: Day): readonly number[] {
  if (century !== null) return [Number(century + year)];
  const thisYear = Number(today.slice(0, 4));
  const within = thisYear - ((((thisYear - Number(year)) % 100) + 100) % 100);
  if (sign === '+') return [within - 100];
  return thisYear - within < USUAL_SIGNING_AGE_YEARS ? [within, within - 100] : [within];
}

function hasAmbiguousCentury(
  parts: SwedishNumberParts,
  years: readonly number[],
  today: Day,
): boolean {
  if (years.length < 2) return false;
  return years.some((year) => (birthDay(year, parts) ?? '9999') <= today);
}

/**
 * Whether `+` states an age of at least 100 years, but the century a lower one; `-` states nothing.
 */
function contradictsSign({ century, year, sign }: SwedishNumberParts, today: Day): boolean {
  if (century === null || sign !== '+') return false;
  return Number(today.slice(0, 4)) - Number(century + year) < 100;
}

function swedishNumberProblem(cleaned: string): ValidationReason {
  if (isShortened(cleaned)) return 'spreadsheet';
  if (INTERIM_NUMBER_PATTERN.test(cleaned)) return 'interim-number';
  return TWELVE_DIGIT_ORGANISATION_PATTERN.test(cleaned) ? 'organisation' : 'form';
}

/** Day of birth, or the earliest possible day if it is not fully known. */
function birthDay(year: number, { month, day }: SwedishNumberParts): Day | null {
  if (day < COORDINATION_NUMBER_OFFSET) return calendarDay(year, month, day);
  if (day > COORDINATION_NUMBER_OFFSET + MAX_DAYS) return null;
  // The date of a co-ordination number is as the person stated it: its month may be unknown. A day
  // that the month does not have is replaced with the last day of the month.
  const first = Math.max(month, 1);
  const stated = Math.max(day - COORDINATION_NUMBER_OFFSET, 1);
  for (let known = stated; known > stated - MAX_MISSING_DAYS_IN_MONTH; known -= 1) {
    const found = calendarDay(year, first, known);
    if (found !== null) return found;
  }
  return null;
}
