import { guardCsv } from '../../../../shared/rules/sheets/csv-guard.ts';
import type { ReportCell } from '../../../../shared/contract/reports.ts';
import type { CsvDelimiter, ReportTable } from '../../../core/reports/ports.ts';
import { wallClockText } from './wall-clock.ts';

/** By it Excel knows the text for UTF-8. */
const BOM = '\uFEFF';
/** RFC 4180. */
const LINE_END = '\r\n';
/** By one of these a file is no text any more, to the desk itself too; XLSX cannot hold most of them. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\uFFFE\uFFFF]/g;

/** A table as CSV: UTF-8 with its mark, and no cell that a program would calculate. */
export async function* writeCsv(
  { headings, rows }: ReportTable,
  delimiter: CsvDelimiter,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (cells: readonly ReportCell[]): string =>
    cells.map((cell) => quoted(textOf(cell, delimiter))).join(delimiter) + LINE_END;
  yield encoder.encode(BOM + line(headings));
  for await (const portion of rows) yield encoder.encode(portion.map(line).join(''));
}

function textOf(cell: ReportCell, delimiter: CsvDelimiter): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return guardCsv(cell.replaceAll(CONTROL, ''));
  if ('at' in cell) return wallClockText(cell.at);
  // Where cells are parted by semicolons the comma is in the numbers, and 3.5 is a day in May.
  const text = String(cell.number);
  return delimiter === ';' ? text.replace('.', ',') : text;
}

/** Quoted also for the separators of other countries, so that it stays one cell in most programs. */
function quoted(text: string): string {
  const isPlain = !/[";,\t|\r\n]|^\s|\s$/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
