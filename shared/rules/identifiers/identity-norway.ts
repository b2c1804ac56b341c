import { cleanText, isShortened } from '../text/clean-text.ts';
import { calendarDay, type Day } from '../time/days.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  type ValidationReason,
  invalidResult,
} from '../text/verdict.ts';

/*
 * | Rule                                            | Source                                     |
 * | ----------------------------------------------- | ------------------------------------------ |
 * | DDMMYYIIIKK, two check digits mod 11            | Skatteetaten, fødselsnummer                |
 * | day + 40: D-number; month + 40: H-number        | Skatteetaten; NAV                          |
 * | month + 80: synthetic                           | Skatteetaten, Tenor                        |
 * | from 2032 a wider first check, no century in III | Skatteetaten, nytt fødselsnummer fra 2032 |
 */

const NORWEGIAN_NUMBER_PATTERN = /^(\d{2})(\d{2})(\d{2})[ -]?(\d{3})(\d{2})$/;
const FIRST_WEIGHTS = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const SECOND_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];
/** Remainders of the first check that numbers issued from 2032 may have. */
const WIDER_REMAINDERS = [0, 1, 2, 3];
const WIDER_REMAINDERS_FROM: Day = '2032-01-01';
const HELP_NUMBER_MONTH_OFFSET = 40;
const SYNTHETIC_MONTH_OFFSET = 80;
const D_NUMBER_DAY_OFFSET = 40;

/**
 * Validates a Norwegian national identity number, D-number or H-number; `value` has eleven digits.
 * Numbers by the rule of 2032 are suspicious until that rule is in force. Test numbers and help
 * numbers are always suspicious.
 */
export function validateNorwegian(text: string, today: Day): ValidationResult {
  const cleaned = cleanText(text);
  const found = NORWEGIAN_NUMBER_PATTERN.exec(cleaned);
  if (found === null) return invalidResult(cleaned, isShortened(cleaned) ? 'spreadsheet' : 'form');
  const [, day = '', month = '', year = '', serial = ''] = found;
  const value = cleaned.replace(/[ -]/, '');
  const date = [Number(year), monthOf(Number(month)), dayOfBirth(Number(day))] as const;
  const isWider = today >= WIDER_REMAINDERS_FROM;
  const problem = birthDateProblem(date, Number(serial), today, isWider);
  if (problem !== null) return invalidResult(value, problem);
  const first = remainder(value, FIRST_WEIGHTS);
  if (remainder(value, SECOND_WEIGHTS) !== 0 || !WIDER_REMAINDERS.includes(first)) {
    return invalidResult(value, 'check-digit');
  }
  if (first !== 0 && !isWider) return suspiciousResult(value, 'check-digit-2032');
  if (Number(month) > SYNTHETIC_MONTH_OFFSET) return suspiciousResult(value, 'test-number');
  return Number(month) > HELP_NUMBER_MONTH_OFFSET
    ? suspiciousResult(value, 'temporary-number')
    : validResult(value);
}

function birthDateProblem(
  [year, month, day]: readonly [number, number, number],
  serial: number,
  today: Day,
  isWider: boolean,
): ValidationReason | null {
  const years = isWider ? [1900 + year, 2000 + year] : yearsOf(year, serial);
  const born = years.flatMap((one) => calendarDay(one, month, day) ?? []);
  if (born.length === 0) return 'birth-date';
  return born.some((one) => one <= today) ? null : 'future';
}

/** Years of birth that an individual number can mean if it was issued before 2032. */
function yearsOf(year: number, serial: number): readonly number[] {
  const years: number[] = [];
  if (serial < 500) years.push(1900 + year);
  if (serial >= 500 && serial < 750 && year >= 54) years.push(1800 + year);
  if (serial >= 500 && year < 40) years.push(2000 + year);
  if (serial >= 900 && year >= 40) years.push(1900 + year);
  return years;
}

function remainder(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11;
}

function monthOf(month: number): number {
  if (month > SYNTHETIC_MONTH_OFFSET) return month - SYNTHETIC_MONTH_OFFSET;
  return month > HELP_NUMBER_MONTH_OFFSET ? month - HELP_NUMBER_MONTH_OFFSET : month;
}

function dayOfBirth(day: number): number {
  return day > D_NUMBER_DAY_OFFSET ? day - D_NUMBER_DAY_OFFSET : day;
}
