import type { FormCheck, FormFormat } from '../../model/form-scripts.ts';
import { calendarDay, isDay } from '../time/days.ts';
import { type Decimal, decimalOf, decimalText, isLess } from './decimals.ts';

type NumberScript = FormFormat & { readonly kind: 'number' };

/** Maximum length of a text that is parsed; a longer text is neither a number nor a day. */
const MAX_FORMATTED_TEXT_LENGTH = 80;
/** Names of months in English, as in pdf.js and PDFium; Acrobat uses its own language. */
const ENGLISH_MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
const DATE_PARTS_PATTERN = /d+|m+|y+|[^dmy]+/gu;

interface FormattedField {
  readonly format?: FormFormat | undefined;
  readonly maxLength?: number | undefined;
}

/**
 * Formats a text like the script of its field; an already formatted text is unchanged. Null if the
 * script or the text is not understood, the text is ambiguous, a number would have to be rounded,
 * or the result is too long for the field.
 */
export function inFormat({ format, maxLength }: FormattedField, text: string): string | null {
  if (format === undefined || text.length > MAX_FORMATTED_TEXT_LENGTH) return null;
  const found = textInFormat(format, text);
  return found !== null && found.length > (maxLength ?? Infinity) ? null : found;
}

function textInFormat(format: FormFormat, text: string): string | null {
  switch (format.kind) {
    case 'number': {
      const value = decimalInFormat(format, text);
      return value === null ? null : decimalInScript(value, format);
    }
    case 'day':
      return dayInPattern(text.trim(), format.pattern);
    case 'other':
      return null;
  }
}

/**
 * Formats a number like the script; null if the number would have to be rounded, or the script
 * shows a negative number only by its colour.
 */
export function decimalInScript(value: Decimal, format: NumberScript): string | null {
  const { before, after, negative } = format;
  const isNegative = value.units < 0n;
  if (isNegative && negative === 'colour') return null;
  const size = { ...value, units: isNegative ? -value.units : value.units };
  const digits = decimalText(size, format);
  if (digits === null) return null;
  if (!isNegative) return `${before}${digits}${after}`;
  if (negative === 'parentheses') return `(${before}${digits}${after})`;
  return `-${before}${digits}${after}`;
}

/** Parses a number in the script's format or in either notation. */
export function decimalInFormat(format: NumberScript, text: string): Decimal | null {
  if (text.length > MAX_FORMATTED_TEXT_LENGTH) return null;
  const { group, point, negative } = format;
  const isInside = negative === 'parentheses' && text.startsWith('(') && text.endsWith(')');
  const inner = (isInside ? text.slice(1, -1) : text).trim();
  const isNegative = isInside || inner.startsWith('-');
  const bare = withoutCurrency(inner.replace(/^-/u, ''), format);
  const plain = group === '' ? bare : bare.replaceAll(group, '');
  const [whole = '', tail = '', ...more] = plain.split(point);
  if (more.length === 0 && /^\d+$/u.test(whole) && /^\d*$/u.test(tail)) {
    const units = BigInt(whole + tail);
    const own = { units: isNegative ? -units : units, places: tail.length };
    if (decimalInScript(own, format) === text) return own;
  }
  return decimalOf(isInside || inner.startsWith('-') ? `-${bare}` : bare);
}

/** Message that a text is not formatted; null if the form's own format was applied. */
export function formatProblem(field: FormattedField, text: string): string | null {
  const { format } = field;
  if (format === undefined || text.trim() === '' || inFormat(field, text) !== null) return null;
  const kept = 'it is written as typed';
  switch (format.kind) {
    case 'number':
      return `The form writes this field as ${exampleOf(format)}, but ${kept}`;
    case 'day':
      return `The form writes this field as ${format.pattern}, but ${kept}`;
    case 'other':
      return `The form writes this field by a script, which Signing Desk does not run, so ${kept}`;
  }
}

interface CheckedField {
  readonly format?: FormFormat | undefined;
  readonly check?: FormCheck | undefined;
}

/** Message that a script of the form would reject a text, or was not run; otherwise null. */
export function checkProblem({ format, check }: CheckedField, text: string): string | null {
  if (check === undefined || text.trim() === '') return null;
  if (check.kind === 'other') {
    return 'The form checks this field by a script, which Signing Desk does not run. Check the value';
  }
  const { least, most } = check;
  const value = format?.kind === 'number' ? decimalInFormat(format, text) : decimalOf(text);
  const limits = [least, most].map((limit) => (limit === null ? null : plainDecimal(limit)));
  const [low = null, high = null] = limits;
  const isInside =
    value !== null &&
    (low === null || !isLess(value, low)) &&
    (high === null || !isLess(high, value));
  return isInside ? null : `The form accepts a number from ${least ?? '…'} to ${most ?? '…'} here`;
}

/** Parses `-1.5` as in scripts, where 1.234 is not a thousand. */
function plainDecimal(text: string): Decimal {
  const [whole = '', tail = ''] = text.split('.');
  return { units: BigInt(whole + tail), places: tail.length };
}

function exampleOf(format: NumberScript): string {
  return decimalInScript({ units: 1234n, places: 0 }, format) ?? '';
}

function withoutCurrency(text: string, { before, after }: NumberScript): string {
  const [first, last] = [before.trim(), after.trim()];
  const tail = first !== '' && text.startsWith(first) ? text.slice(first.length) : text;
  const rest = last !== '' && tail.endsWith(last) ? tail.slice(0, -last.length) : tail;
  return rest.trim();
}

interface DayParts {
  readonly year: string | null;
  readonly month: number | null;
  readonly day: number | null;
}

/** Formats a day in the pattern. A text already in the pattern may omit zeros if unambiguous. */
function dayInPattern(text: string, pattern: string): string | null {
  const parts = isDay(text) ? partsOfDay(text) : readPattern(text, pattern);
  if (parts === null) return null;
  const whole = writeDay(parts, pattern);
  if (isDay(text) || whole === text) return whole;
  const isTwoWays = (parts.day ?? 0) <= 12 && parts.day !== parts.month && /m\/|\/m/u.test(pattern);
  return isTwoWays && !pattern.includes('mmm') ? null : whole;
}

function partsOfDay(day: string): DayParts {
  const [year = '', month = '', date = ''] = day.split('-');
  return { year, month: Number(month), day: Number(date) };
}

function writeDay({ year, month, day }: DayParts, pattern: string): string {
  return pattern.replaceAll(DATE_PARTS_PATTERN, (part) => {
    const name = ENGLISH_MONTHS[(month ?? 1) - 1] ?? '';
    switch (part) {
      case 'd':
      case 'dd':
        return String(day).padStart(part.length, '0');
      case 'm':
      case 'mm':
        return String(month).padStart(part.length, '0');
      case 'mmm':
        return name.slice(0, 3);
      case 'mmmm':
        return name;
      case 'yy':
      case 'yyyy':
        return (year ?? '').slice(-part.length);
      default:
        return part;
    }
  });
}

/**
 * Parses a day in the pattern; null if the text has another pattern, or the day does not exist.
 */
function readPattern(text: string, pattern: string): DayParts | null {
  let rest = text;
  let found: DayParts = { year: null, month: null, day: null };
  for (const part of pattern.match(DATE_PARTS_PATTERN) ?? []) {
    const piece = pieceOf(rest, part);
    if (piece === null) return null;
    rest = rest.slice(piece.length);
    if (part.startsWith('y')) found = { ...found, year: piece };
    if (part.startsWith('d')) found = { ...found, day: Number(piece) };
    if (part.startsWith('m')) found = { ...found, month: monthOf(piece) };
  }
  // A pattern without a four-digit year also allows 29 February.
  const year = found.year?.length === 4 ? Number(found.year) : 2000;
  const isThere = calendarDay(year, found.month ?? 1, found.day ?? 1) !== null;
  return rest === '' && isThere ? found : null;
}

function pieceOf(text: string, part: string): string | null {
  if (part.startsWith('mmm')) {
    const names = part === 'mmm' ? ENGLISH_MONTHS.map((name) => name.slice(0, 3)) : ENGLISH_MONTHS;
    const start = text.toLowerCase();
    const name = names.find((one) => start.startsWith(one.toLowerCase()));
    return name === undefined ? null : text.slice(0, name.length);
  }
  if (!/^[dmy]/u.test(part)) return text.startsWith(part) ? part : null;
  const [digits = ''] = /^\d{1,4}/u.exec(text) ?? [];
  if (!part.startsWith('y')) return digits.slice(0, 2) || null;
  return digits.length < part.length ? null : digits.slice(0, part.length);
}

function monthOf(piece: string): number {
  const at = ENGLISH_MONTHS.findIndex((name) =>
    name.toLowerCase().startsWith(piece.toLowerCase().slice(0, 3)),
  );
  return at < 0 ? Number(piece) : at + 1;
}
