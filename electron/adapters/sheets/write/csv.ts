import { guardCsv } from '../../../../shared/rules/sheets/csv-guard.ts';
import type { ReportCell } from '../../../../shared/contract/reports.ts';
import type { CsvDelimiter, ReportTable } from '../../../core/reports/ports.ts';
import { wallClockText } from './wall-clock.ts';

/** Byte order mark, which makes Excel read the text as UTF-8. */
const BOM = '\uFEFF';
/** Line end of CSV (RFC 4180). */
const LINE_END = '\r\n';
/**
 * Characters that make a file invalid as text, for this program too; XLSX does not allow most of
 * them.
 */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\uFFFE\uFFFF]/g;

/**
 * Writes a table as CSV: UTF-8 with a byte order mark, and no cell that a program would calculate.
 */
export async function* writeCsv(
  { headings, rows }: ReportTable,
  delimiter: CsvDelimiter,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (cells: readonly ReportCell[]): string =>
    cells.map((cell) => quoteIfNeeded(textOf(cell, delimiter))).join(delimiter) + LINE_END;
  yield encoder.encode(BOM + line(headings));
  for await (const portion of rows) yield encoder.encode(portion.map(line).join(''));
}

function textOf(cell: ReportCell, delimiter: CsvDelimiter): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return guardCsv(cell.replaceAll(CONTROL, ''));
  if ('at' in cell) return wallClockText(cell.at);
  // With semicolons as separators, numbers have a decimal comma, and 3.5 would be a day in May.
  const text = String(cell.number);
  return delimiter === ';' ? text.replace('.', ',') : text;
}

/**
 * Quotes a text if needed, also for the separators of other countries, so that it stays one cell in
 * most programs.
 */
function quoteIfNeeded(text: string): string {
  const isPlain = !/[";,\t|\r\n]|^\s|\s$/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
