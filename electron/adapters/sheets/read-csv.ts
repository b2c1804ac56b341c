import Papa from 'papaparse';
import { SheetDelimiter } from '../../../shared/contract/sheets.ts';
import { unguardCsv } from '../../../shared/rules/csv-guard.ts';
import { type Grid, type GridRow, notice } from './grid.ts';
import { refuse } from './refuse.ts';

const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n|$)/i;
/** Lines looked at to find the delimiter. */
const SAMPLE = 20;
/** UTF-8 that was read as Windows-1252 and written again: `Ã¥` for `å`. */
const DOUBLE = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Rows of a text file; a quoted line break does not end a row, as in the spreadsheet. */
export function readCsv(
  text: string,
  wanted?: SheetDelimiter,
): { readonly grid: Grid; readonly delimiter: SheetDelimiter } {
  const first = SEPARATOR_LINE.exec(text);
  const told = SheetDelimiter.safeParse(first?.[1]);
  const isTold = first !== null && told.success;
  const body = isTold ? text.slice(first[0].length) : text;
  const delimiter = wanted ?? (isTold ? told.data : findDelimiter(body));
  // One kind of line end, so that a file that mixes them has the same rows.
  const even = evenEnds(body);
  const { data, errors } = Papa.parse<string[]>(even, { delimiter, newline: '\n', header: false });
  refuseQuotes(errors, data.length, isTold ? 1 : 0);
  return { grid: gridOf(data, isTold ? 2 : 1, text), delimiter };
}

function gridOf(data: readonly string[][], firstRow: number, text: string): Grid {
  const rows: GridRow[] = [];
  let empty = 0;
  let width = 0;
  for (const [at, cells] of data.entries()) {
    if (cells.every((cell) => cell.trim() === '')) empty += 1;
    else rows.push({ row: at + firstRow, cells: cells.map(unguardCsv), marks: [] });
    width = Math.max(width, cells.length);
  }
  // The end of the last line is no row.
  const last = data.at(-1);
  if (last?.length === 1 && last[0] === '') empty -= 1;
  const doubled = DOUBLE.test(text) ? 1 : 0;
  return { rows, notices: [...notice('empty-rows', empty), ...notice('double-encoded', doubled)] };
}

/** The sign that parts the most lines into the same number of cells, outside quotes. */
function findDelimiter(text: string): SheetDelimiter {
  const lines = sampleLines(text);
  let best: { readonly sign: SheetDelimiter; readonly score: number } = { sign: ',', score: 0 };
  for (const sign of SheetDelimiter.options) {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0);
    const usual = counts[0] ?? 0;
    const same = counts.filter((count) => count === usual).length;
    // Lines that agree count most; then the one that makes more cells.
    const score = same * 1000 + usual;
    if (usual > 0 && score > best.score) best = { sign, score };
  }
  return best.sign;
}

/** The first lines with what stands in quotes left out. */
function sampleLines(text: string): readonly string[] {
  const bare = text.slice(0, 200_000).replaceAll(/"(?:[^"]|"")*"/g, 'q');
  return bare.split(/\r\n|\r|\n/, SAMPLE + 1).filter((line) => line.trim() !== '');
}

/** Ends of lines outside and inside quotes become `\n`; the number of rows stays the same. */
function evenEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

function refuseQuotes(errors: readonly Papa.ParseError[], rows: number, skipped: number): void {
  const open = errors.find(({ type }) => type === 'Quotes');
  if (open === undefined) return;
  const row = (open.row ?? rows - 1) + 1 + skipped;
  throw refuse('sheet-quote', `Row ${row} opens a quote that is not closed as it should be`);
}
