import type { DayFormat } from '../../model/day-format.ts';
import type { NumberFormat } from '../../model/number-format.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import { isDay, longDay } from '../time/days.ts';

/** Digits that any program writes as one number; a longer text is looked at by nobody. */
const LONGEST = 40;

const SPACED = /^(-?)(\d{1,3}(?: \d{3})+)(?:[.,](\d+))?$/u;
const DOTTED = /^(-?)(\d{1,3}(?:\.\d{3})+),(\d+)$/u;
const COMMAED = /^(-?)(\d{1,3}(?:,\d{3})+)\.(\d+)$/u;
const MANY = /^(-?)(\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:,\d{3}){2,})$/u;
const BARE = /^(-?)(\d+)(?:[.,](\d+))?$/u;
/** `1.234` is a thousand to one reader, and a bit more than one to another. */
const TWO_WAYS = /^-?[1-9]\d{0,2}[.,]\d{3}$/u;

const written = {
  '1 234': { group: ' ', point: '', places: 0 },
  '1 234,50': { group: ' ', point: ',', places: 2 },
  '1.234,50': { group: '.', point: ',', places: 2 },
  '1,234.50': { group: ',', point: '.', places: 2 },
  '1234,50': { group: '', point: ',', places: 2 },
  '1234.50': { group: '', point: '.', places: 2 },
} as const satisfies Record<NumberFormat, { group: string; point: string; places: number }>;

/** A day or a number goes into a field that was drawn for one as the field wants it; all else as it is. */
export function asDrawn({ day, number }: Pick<PdfField, 'day' | 'number'>, text: string): string {
  if (day !== undefined && isDay(text.trim())) return dayText(text.trim(), day);
  return number === undefined ? text : (inDigits(text, number) ?? text);
}

/** A day, year-month-day, as a document has it. */
export function dayText(day: string, format: DayFormat): string {
  const [year = '', month = '', date = ''] = day.split('-');
  switch (format) {
    case 'yyyy-MM-dd':
      return day;
    case 'dd.MM.yyyy':
      return `${date}.${month}.${year}`;
    case 'dd/MM/yyyy':
      return `${date}/${month}/${year}`;
    case 'MM/dd/yyyy':
      return `${month}/${date}/${year}`;
    case 'long':
      return longDay(day);
  }
}

/** Null for what is no number, or may be two, or would be rounded: an amount is never changed. */
function inDigits(text: string, format: NumberFormat): string | null {
  if (text.length > LONGEST) return null;
  const plain = text
    .trim()
    .replaceAll(/[\u00a0\u202f]/gu, ' ')
    .replace(/^[\u2212\u2013]/u, '-');
  if (TWO_WAYS.test(plain)) return null;
  const found = [SPACED, DOTTED, COMMAED, MANY, BARE].map((way) => way.exec(plain)).find(Boolean);
  if (!found) return null;
  const [, sign = '', grouped = '', tail = ''] = found;
  const { group, point, places } = written[format];
  if (/[1-9]/u.test(tail.slice(places))) return null;
  const whole = [...grouped.replaceAll(/\D/gu, '').replace(/^0+(?=\d)/u, '')];
  const digits = whole.map((digit, at) =>
    at > 0 && (whole.length - at) % 3 === 0 ? group + digit : digit,
  );
  const decimals = tail.slice(0, places).padEnd(places, '0');
  return `${sign}${digits.join('')}${point}${decimals}`;
}
