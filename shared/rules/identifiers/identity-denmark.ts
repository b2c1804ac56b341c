import { cleanText, isShortened } from '../text/clean-text.ts';
import { calendarDay, type Day } from '../time/days.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';

/*
 * | Rule                                           | Source                                      |
 * | ---------------------------------------------- | ------------------------------------------- |
 * | DDMMYY-SSSS; the seventh digit gives a century | cpr.dk, Personnummeret i CPR                |
 * | sum mod 11; numbers without it since 2007-10-01 | cpr.dk, Personnumre uden kontrolciffer     |
 */

const CPR_PATTERN = /^(\d{2})(\d{2})(\d{2})[- ]?(\d)\d{3}$/;
const CPR_WEIGHTS = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Validates a Danish CPR number; `value` has ten digits. The authority requires systems to accept
 * numbers with a wrong check digit, so such a number is only suspicious. For 1 January, where such
 * numbers are common, it is fine.
 */
export function validateDanish(text: string, today: Day): ValidationResult {
  const cleaned = cleanText(text);
  const found = CPR_PATTERN.exec(cleaned);
  if (found === null) return invalidResult(cleaned, isShortened(cleaned) ? 'spreadsheet' : 'form');
  const [, day = '', month = '', year = '', seventh = ''] = found;
  const value = cleaned.replace(/[- ]/, '');
  const born = calendarDay(birthYearOf(Number(year), Number(seventh)), Number(month), Number(day));
  if (born === null) return invalidResult(value, 'birth-date');
  if (born > today) return invalidResult(value, 'future');
  const sum = CPR_WEIGHTS.reduce(
    (total, weight, place) => total + weight * Number(value[place]),
    0,
  );
  const isFirstOfJanuary = born.endsWith('-01-01');
  return sum % 11 === 0 || isFirstOfJanuary
    ? validResult(value)
    : suspiciousResult(value, 'check-digit');
}

function birthYearOf(year: number, seventh: number): number {
  if (seventh <= 3) return 1900 + year;
  if (seventh === 4 || seventh === 9) return (year <= 36 ? 2000 : 1900) + year;
  return (year <= 57 ? 2000 : 1800) + year;
}
