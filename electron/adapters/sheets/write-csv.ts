import type { CsvDelimiter, ReportCell, ReportTable } from '../../core/report-ports.ts';
import { wallClock } from './wall-clock.ts';

/** By it Excel knows the text for UTF-8. */
const BOM = '\uFEFF';
/** RFC 4180. */
const LINE_END = '\r\n';
/** What a spreadsheet program may take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A table as CSV: UTF-8 with its mark, and no cell that a program would calculate. */
export async function* writeCsv(
  { headings, rows }: ReportTable,
  delimiter: CsvDelimiter,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (cells: readonly ReportCell[]): string =>
    cells.map((cell) => quoted(textOf(cell), delimiter)).join(delimiter) + LINE_END;
  yield encoder.encode(BOM + line(headings));
  for await (const portion of rows) yield encoder.encode(portion.map(line).join(''));
}

function textOf(cell: ReportCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return neutral(cell);
  const { day, time } = wallClock(cell.at);
  return `${day} ${time}`;
}

/** With an apostrophe before it, it is text to every program; readers of ours take it off again. */
const neutral = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function quoted(text: string, delimiter: CsvDelimiter): string {
  const isPlain = !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
