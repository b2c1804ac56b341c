import type { DayFormat } from '../../model/day-format.ts';
import type { NumberFormat } from '../../model/number-format.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import { isDay, longDay } from '../time/days.ts';
import { decimalOf, decimalText } from './decimals.ts';
import { inFormat } from './form-format.ts';

const written = {
  '1 234': { group: ' ', point: '', places: 0 },
  '1 234,50': { group: ' ', point: ',', places: 2 },
  '1.234,50': { group: '.', point: ',', places: 2 },
  '1,234.50': { group: ',', point: '.', places: 2 },
  '1234,50': { group: '', point: ',', places: 2 },
  '1234.50': { group: '', point: '.', places: 2 },
} as const satisfies Record<NumberFormat, { group: string; point: string; places: number }>;

/** A day or a number as its field writes it, by what it was drawn for or by its script; other texts as they are. */
export function asDrawn(
  field: Pick<PdfField, 'day' | 'number' | 'format' | 'maxLength'>,
  text: string,
): string {
  const { day, number, format } = field;
  if (day !== undefined && isDay(text.trim())) return dayText(text.trim(), day);
  if (format !== undefined) return inFormat(field, text) ?? text;
  if (number === undefined) return text;
  const value = decimalOf(text);
  return (value === null ? null : decimalText(value, written[number])) ?? text;
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
