import { cleanText, isShortened } from '../text/clean-text.ts';
import { calendarDay, type Day } from '../time/days.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/*
 * | Rule                                                  | Source                                |
 * | ----------------------------------------------------- | ------------------------------------- |
 * | DDMMYYCZZZQ; Q is DDMMYYZZZ mod 31                    | dvv.fi, henkilötunnus                 |
 * | signs: 1800s +; 1900s - Y X W V U; 2000s A B C D E F  | decree in force since 2023-01-01      |
 * | 002–899 people, 900–999 temporary and tests           | dvv.fi, henkilötunnus                 |
 */

const HETU_PATTERN = /^(\d{2})(\d{2})(\d{2})([-+YXWVUABCDEF])(\d{3})([0-9A-FHJ-NPR-Y])$/;
const CHECK_MARKS = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const FIRST_SERIAL = 2;
const FIRST_TEMPORARY_SERIAL = 900;

/**
 * Validates a Finnish personal identity code; `value` has eleven characters in upper case. The
 * century sign is kept, because it may be the only difference between two people. A number with a
 * wrong check character is only suspicious, as for Sweden.
 */
export function validateFinnish(text: string, today: Day): ValidationResult {
  // Upper case splits some Greek letters, so the value is composed: validating it again must not
  // change it.
  const value = cleanText(text)
    .replaceAll(' ', '')
    .toUpperCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize();
  const found = HETU_PATTERN.exec(value);
  if (found === null) return invalidResult(value, isShortened(value) ? 'spreadsheet' : 'form');
  const [, day = '', month = '', year = '', sign = '', serial = '', check = ''] = found;
  const born = calendarDay(centuryOf(sign) + Number(year), Number(month), Number(day));
  if (born === null) return invalidResult(value, 'birth-date');
  if (born > today) return invalidResult(value, 'future');
  if (Number(serial) < FIRST_SERIAL) return invalidResult(value, 'form');
  const rest = Number(day + month + year + serial) % CHECK_MARKS.length;
  if (CHECK_MARKS[rest] !== check) return suspiciousResult(value, 'check-digit');
  return Number(serial) >= FIRST_TEMPORARY_SERIAL
    ? suspiciousResult(value, 'test-number')
    : validResult(value);
}

function centuryOf(sign: string): number {
  if (sign === '+') return 1800;
  return 'ABCDEF'.includes(sign) ? 2000 : 1900;
}
