import type { DayFormat } from '../../model/day-format.ts';
import type { NumberFormat } from '../../model/number-format.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import { isDay, formatLongDay } from '../time/days.ts';
import { decimalOf, decimalText } from './decimals.ts';
import { inFormat } from './form-format.ts';

const numberStyles = {
  '1 234': { group: ' ', point: '', places: 0 },
  '1 234,50': { group: ' ', point: ',', places: 2 },
  '1.234,50': { group: '.', point: ',', places: 2 },
  '1,234.50': { group: ',', point: '.', places: 2 },
  '1234,50': { group: '', point: ',', places: 2 },
  '1234.50': { group: '', point: '.', places: 2 },
} as const satisfies Record<NumberFormat, { group: string; point: string; places: number }>;

/**
 * Formats a day or a number as its field requires: by the format chosen when the field was drawn,
 * or by the field's script. Other texts are unchanged.
 */
export function toDrawnText(
  field: Pick<PdfField, 'day' | 'number' | 'format' | 'maxLength'>,
  text: string,
): string {
  const { day, number, format } = field;
  if (day !== undefined && isDay(text.trim())) return dayText(text.trim(), day);
  if (format !== undefined) return inFormat(field, text) ?? text;
  if (number === undefined) return text;
  const value = decimalOf(text);
  return (value === null ? null : decimalText(value, numberStyles[number])) ?? text;
}

/** Formats a day `yyyy-MM-dd` for a document. */
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
      return formatLongDay(day);
  }
}
