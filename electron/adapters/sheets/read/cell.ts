import type { CellFlag } from '../../../../shared/contract/sheets.ts';
import {
  isOnlyWords,
  type NumberFormat,
  numberFormat,
  formatWithCode,
  formatInAllLanguages,
} from './number-format.ts';
import type { Workbook } from './workbook.ts';
import { decodeOfficeText } from './xml.ts';
import { sheetError } from './refuse.ts';

/** Result of reading a cell; the rules are in `build/decisions/what-a-cell-shows.md`. */
export interface Cell {
  readonly text: string;
  readonly mark: CellFlag | null;
  /** Alternative value that the user can choose with one key. */
  readonly offer?: string;
}

/** A cell as stored in the file; `value` is null if the cell has none. */
export interface RawCell {
  readonly type: string | undefined;
  readonly style: number;
  readonly value: string | null;
  readonly isFormula: boolean;
}

const EMPTY_CELL: Cell = { text: '', mark: null };
const GENERAL = numberFormat(0, undefined);
/** Number of digits that a spreadsheet keeps of a number; later digits are not reliable. */
const EXACT_DIGITS = 15;
const DAY_SECONDS = 86_400;
const FAKE_LEAP_DAY = 60;
/** Tolerance in days: less than a tenth of a millisecond is a calculation error. */
const ROUNDING_NOISE = 1e-9;
/** Days between the 1900 and the 1904 date systems. */
const DAYS_TO_1904_SYSTEM = 1_462;
/** Serial number of 9999-12-31, the last date. */
const LAST_DATE_SERIAL = 2_958_465;
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
const ISO = /^(\d{4}-\d{2}-\d{2})?(?:T?(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/;
/** Hours, minutes or seconds that count beyond a day: `[h]:mm`. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i;
/** Text in which every character has the same meaning in every country. */
const PLAIN = /^[\d +\-()/.:]*$/;
const DECIMAL = /^-?\d+\.\d+$/;
const WHOLE = /^-?\d+$/;

/** Converts a cell of Office Open XML to text. Throws 'sheet-damaged' if it is invalid. */
export function readCell(
  book: Pick<Workbook, 'texts' | 'styles' | 'is1904'>,
  { type, style, value, isFormula }: RawCell,
): Cell {
  const format = book.styles[style] ?? missingFormat(style);
  if (value === null || (value === '' && type !== 'str' && type !== 'inlineStr')) {
    return isFormula ? { text: '', mark: 'formula-empty' } : EMPTY_CELL;
  }
  switch (type) {
    case 's': {
      const text = book.texts[Number(value)];
      if (text !== undefined) return textOf(text, format);
      throw sheetError(
        'sheet-damaged',
        'A cell refers to a text that the spreadsheet does not have. Open the spreadsheet and save it again',
      );
    }
    case 'str':
    case 'inlineStr':
      return textOf(decodeOfficeText(value), format);
    case 'b':
      return { text: value.trim() === '1' ? 'TRUE' : 'FALSE', mark: 'truth' };
    case 'e':
      return { text: value, mark: 'cell-error' };
    case 'd':
      return isoDateCellOf(value.trim(), format);
    default:
      if (NUMBER.test(value) && Number.isFinite(Number(value))) {
        return numberOf(Number(value), format, book.is1904);
      }
      throw sheetError(
        'sheet-damaged',
        'A cell contains a number that is not valid. Open the spreadsheet and save it again',
      );
  }
}

/**
 * Returns the format for style 0, which need not be listed. Throws for any other missing format,
 * because it would change the displayed number.
 */
function missingFormat(style: number): NumberFormat {
  if (style === 0) return GENERAL;
  throw sheetError(
    'sheet-damaged',
    'A cell refers to a format that the spreadsheet does not have. Open the spreadsheet and save it again',
  );
}

/** Converts a text; some formats add words to it, or hide it. */
function textOf(text: string, format: NumberFormat): Cell {
  if (format.keepsText || text === '') return plainCell(text);
  const seen = formatWithCode(format.code, text);
  if (seen === text.trim()) return plainCell(text);
  return { text, mark: 'formatted', ...(seen !== '' && { offer: seen }) };
}

function numberOf(value: number, format: NumberFormat, is1904: boolean): Cell {
  if (isRounded(value)) return { text: digitsOf(value), mark: 'rounded' };
  switch (format.kind) {
    case 'general':
      return generalOf(value);
    case 'date':
      return dateOf(is1904 ? value + DAYS_TO_1904_SYSTEM : value, value, format);
    case 'time':
      return timeOf(value, format);
    case 'number':
      return formattedOf(value, format);
    case 'unknown':
      return { text: digitsOf(value), mark: 'formatted' };
  }
}

/**
 * Converts a number without a format. Whole numbers keep all digits, never `1.98E+11`; the
 * displayed digits of a rounded fraction are offered to the user.
 */
function generalOf(value: number): Cell {
  const text = digitsOf(value);
  if (Number.isInteger(value)) return plainCell(text);
  const seen = Number(formatWithCode(GENERAL.code, value));
  if (seen === Number(text)) return { text, mark: 'decimal' };
  return { text, mark: 'shown-rounded', offer: digitsOf(seen) };
}

function formattedOf(value: number, format: NumberFormat): Cell {
  const [seen = '', swedish = '', german = ''] = formatInAllLanguages(format.code, value);
  const text = digitsOf(value);
  const isFixed = seen === swedish && seen === german;
  if (isFixed && PLAIN.test(seen) && isSameWhole(seen, value)) return plainCell(seen);
  const isDecimal = DECIMAL.test(seen) && swedish === seen.replace('.', ',');
  if (isDecimal && Number(seen) === Number(text)) return { text: seen, mark: 'decimal' };
  const isCut = isDecimal || (isFixed && WHOLE.test(seen));
  if (isCut && isRoundedTo(Number(seen), value)) {
    return { text, mark: 'shown-rounded', offer: seen };
  }
  return signedNumberCellOf(value, text, seen, format.code);
}

/**
 * Converts a number displayed with thousands separators, a currency, a percent sign, words, or
 * otherwise.
 */
function signedNumberCellOf(value: number, text: string, seen: string, code: string): Cell {
  // `[=1]"Ja";[=0]"Nej"` displays a word instead of the number.
  if (seen.includes('%') || isOnlyWords(code, seen))
    return { text, mark: 'formatted', offer: seen };
  const digits = seen.replaceAll(/[^\d.-]/g, '').replace(/\.$/, '');
  const number = WHOLE.test(digits) || DECIMAL.test(digits) ? Number(digits) : Number.NaN;
  if (number === Number(text)) return { text, mark: 'formatted', offer: digits };
  return isRoundedTo(number, value)
    ? { text, mark: 'shown-rounded', offer: digits }
    : { text, mark: 'formatted', offer: text };
}

/**
 * Whether a displayed number is the value with fewer digits; any other difference is a scale, a
 * fraction, or unrelated.
 */
function isRoundedTo(seen: number, value: number): boolean {
  return !Number.isInteger(value) && Math.abs(seen - value) < 1;
}

/** Whether all digits of a whole number are displayed, and no others except leading zeros. */
function isSameWhole(seen: string, value: number): boolean {
  if (!Number.isInteger(value)) return false;
  const digits = seen.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const isSigned = value >= 0 || seen.startsWith('-');
  return isSigned && digits === String(Math.abs(value));
}

/** Converts a date. Serial 60 is a day that did not exist; earlier serials are one day off. */
function dateOf(serial: number, value: number, format: NumberFormat): Cell {
  const isDay =
    serial >= 1 && serial < LAST_DATE_SERIAL + 1 && Math.floor(serial) !== FAKE_LEAP_DAY;
  if (!isDay) return { text: String(value), mark: 'wrong-date' };
  const { shows, isOfSystem, code } = format;
  const start = Date.UTC(1899, 11, serial < FAKE_LEAP_DAY ? 31 : 30);
  // A time is rounded to the second; a day without a time is rounded down.
  const seconds = shows.time
    ? Math.round(serial * DAY_SECONDS)
    : Math.floor(serial + ROUNDING_NOISE) * DAY_SECONDS;
  const iso = new Date(start + seconds * 1000).toISOString();
  const text = shows.time ? withTime(iso, shows.seconds) : iso.slice(0, 10);
  if (!shows.day) return { text, mark: 'formatted', offer: text };
  return { text, mark: isOfSystem || formatWithCode(code, serial) === text ? 'date' : 'date-form' };
}

/**
 * Formats a date with its time. Midnight is a day without a time; seconds are included if they are
 * displayed and not zero.
 */
function withTime(iso: string, hasSeconds: boolean): string {
  const [day, time, seconds] = [iso.slice(0, 10), iso.slice(11, 16), iso.slice(17, 19)];
  const isSecond = hasSeconds && seconds !== '00';
  if (isSecond) return `${day} ${time}:${seconds}`;
  return time === '00:00' ? day : `${day} ${time}`;
}

/** Converts a duration or a time of day to the displayed text: `40:00`. */
function timeOf(value: number, { code, shows }: NumberFormat): Cell {
  if (value < 0) return { text: String(value), mark: 'wrong-date' };
  const [seen = '', ...others] = formatInAllLanguages(code, value);
  if (others.every((other) => other === seen)) return plainCell(seen);
  const isDecimal = others.every((other) => other.replace(',', '.') === seen);
  if (isDecimal) return { text: seen, mark: 'decimal' };
  const clock = formatWithCode(shows.seconds ? 'hh:mm:ss' : 'hh:mm', value);
  return { text: clock, mark: 'formatted', offer: clock };
}

/**
 * Converts a date in ISO 8601, which some programs write instead of a number; the format applies as
 * to a number.
 */
function isoDateCellOf(text: string, format: NumberFormat): Cell {
  const [, day = '', time = ''] = ISO.exec(text) ?? [];
  if (day === '' && time === '') return { text, mark: 'wrong-date' };
  const fraction = time === '' ? 0 : Date.parse(`1970-01-01T${time}Z`) / 1000 / DAY_SECONDS;
  // A time of day is stored on the first possible day, which time formats do not display.
  const isClock = format.kind === 'time' && time !== '' && !ELAPSED.test(format.code);
  if (isClock || (day === '' && format.kind === 'time')) return timeOf(fraction, format);
  const days = (Date.parse(day) - Date.UTC(1899, 11, 30)) / 1000 / DAY_SECONDS;
  if (format.kind === 'date' && days > FAKE_LEAP_DAY) {
    return dateOf(days + fraction, days, format);
  }
  const bare = time.replace(/^(\d{2}:\d{2}):00$/, '$1');
  const isMidnight = day !== '' && bare === '00:00';
  return { text: [day, isMidnight ? '' : bare].join(' ').trim(), mark: 'date' };
}

/**
 * Returns the exact digits of a number, never `1.98E+11`; of a fraction, as many as the spreadsheet
 * keeps.
 */
export function digitsOf(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [mantissa = '', exponent = '0'] = value.toExponential(EXACT_DIGITS - 1).split('e');
  const digits = mantissa
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/(?<!0)0+$/, '');
  const point = Number(exponent) + 1;
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const rest = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return (value < 0 ? '-' : '') + whole + (rest === '' ? '' : `.${rest}`);
}

export function isRounded(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= 10 ** EXACT_DIGITS;
}

const plainCell = (text: string): Cell => ({ text, mark: null });
