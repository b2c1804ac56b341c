import Papa from 'papaparse';
import { SheetDelimiter, type SheetNotice } from '../../../../shared/contract/sheets.ts';
import { unguardCsv } from '../../../../shared/rules/sheets/csv-guard.ts';
import { type Grid, type GridRow, countedNotice } from './grid.ts';
import { guessDelimiter } from './guess-delimiter.ts';
import { MAX_CELLS_IN_ROW } from './limits.ts';
import { normalizeLineEnds } from './xml.ts';
import { sheetError } from './refuse.ts';

const QUOTE = 0x22;
const LINE_END = 0x0a;

/** Start of a formula; a single equals sign, or a line of them, is not a formula. */
const FORMULA = /^=\s*[^\s=]/;
const TEXT_CALL = /^=T\(([^]*)\)$/i;
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n|$)/i;
/** UTF-8 that was read as Windows-1252 and saved again: `Ã¥` for `å`. */
const DOUBLY_ENCODED = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Returns the rows of a text file; a quoted line break does not end a row, as in a spreadsheet. */
export function readCsv(
  text: string,
  wanted?: SheetDelimiter,
): { readonly grid: Grid; readonly delimiter: SheetDelimiter } {
  const first = SEPARATOR_LINE.exec(text);
  const declared = SheetDelimiter.safeParse(first?.[1]);
  const isDeclared = first !== null && declared.success;
  const body = isDeclared ? text.slice(first[0].length) : text;
  // Normalizes line ends, so that a file with mixed ones has the same rows.
  const even = normalizeLineEnds(body);
  const said = wanted ?? (isDeclared ? declared.data : null);
  const { sign: delimiter, other } =
    said === null ? guessDelimiter(even) : { sign: said, other: null };
  rejectWide(even, delimiter, isDeclared ? 1 : 0);
  const { data, errors } = Papa.parse<string[]>(even, { delimiter, newline: '\n', header: false });
  rejectQuotes(errors, data.length, isDeclared ? 1 : 0);
  const { rows, notices } = gridOf(data, isDeclared ? 2 : 1, text);
  const guessed: readonly SheetNotice[] =
    other === null ? [] : [{ code: 'guessed-delimiter', count: 1, detail: other }];
  return { grid: { rows, notices: [...notices, ...guessed] }, delimiter };
}

function gridOf(data: readonly string[][], firstRow: number, text: string): Grid {
  const rows: GridRow[] = [];
  let empty = 0;
  let width = 0;
  for (const [at, cells] of data.entries()) {
    if (cells.every((cell) => cell.trim() === '')) empty += 1;
    else rows.push({ row: at + firstRow, cells: cells.map(readCell), marks: [] });
    width = Math.max(width, cells.length);
  }
  // The end of the last line does not begin a row.
  const last = data.at(-1);
  if (last?.length === 1 && last[0] === '') empty -= 1;
  const doubled = DOUBLY_ENCODED.test(text) ? 1 : 0;
  return {
    rows,
    notices: [...countedNotice('empty-rows', empty), ...countedNotice('double-encoded', doubled)],
  };
}

/**
 * Returns a cell as a spreadsheet displays it. `="00123"` is text, which exports use to keep
 * leading zeros. Any other formula stays as text.
 */
function readCell(cell: string): string {
  const trimmed = cell.trim();
  const text = FORMULA.test(trimmed) ? textOfFormula(trimmed) : null;
  return text ?? unguardCsv(cell);
}

/** Returns the text of a formula that is only a string; null for any other formula. */
function textOfFormula(formula: string): string | null {
  const literal = TEXT_CALL.exec(formula)?.[1] ?? formula.slice(1).trim();
  if (literal.length < 2 || !literal.startsWith('"') || !literal.endsWith('"')) return null;
  const inner = literal.slice(1, -1);
  return inner.replaceAll('""', '').includes('"') ? null : inner.replaceAll('""', '"');
}

/**
 * Throws for a row with too many cells. Separators are counted before parsing, because a row with
 * more cells than any spreadsheet would use all memory before the limit of columns is checked.
 * Quotes are treated as in the parser.
 */
function rejectWide(text: string, delimiter: SheetDelimiter, skipped: number): void {
  const sign = delimiter.charCodeAt(0);
  let [row, cells, isQuoted, isStart] = [1 + skipped, 1, false, true];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      // A doubled quote ends the quoted text and restarts it, with the same result.
      if (code === QUOTE) isQuoted = false;
      continue;
    }
    if (code === sign) cells += 1;
    else if (code === LINE_END) [row, cells] = [row + 1, 1];
    else if (code === QUOTE && (isStart || text.charCodeAt(at - 1) === QUOTE)) isQuoted = true;
    isStart = code === sign || code === LINE_END;
    if (cells > MAX_CELLS_IN_ROW) {
      throw sheetError('sheet-limit', `Row ${row} has more than ${MAX_CELLS_IN_ROW} cells`);
    }
  }
}

function rejectQuotes(errors: readonly Papa.ParseError[], rows: number, skipped: number): void {
  const open = errors.find(({ type }) => type === 'Quotes');
  if (open === undefined) return;
  const row = (open.row ?? rows - 1) + 1 + skipped;
  throw sheetError('sheet-quote', `Row ${row} has a quotation mark that is not closed correctly`);
}
