import type { SheetChoices } from '../../../../shared/contract/sheets.ts';
import type { ReadLines } from '../../../core/sheet-ports.ts';
import type { Grid } from './grid.ts';
import { readBook } from './book.ts';
import { sheetError } from './refuse.ts';
import { charactersOf } from './text.ts';

/**
 * Highest row number: a single cell at the end of a sheet must not create a million empty lines.
 */
const LAST_ROW = 100_000;
const BREAKS = /[\t\r\n]+/g;

/** Reads a file by its content regardless of its name. Throws 'invalid' with a reason `sheet-…`. */
export async function readLines(data: Uint8Array, choices: SheetChoices): Promise<ReadLines> {
  const book = await readBook(data, choices);
  if (book === null) return { text: charactersOf(data), sheets: [], sheet: null, notices: [] };
  const { grid, sheets, sheet } = book;
  return {
    text: linesOf(grid).join('\n'),
    sheets: sheets.map(({ name, hidden }) => ({ name, hidden })),
    sheet,
    notices: grid.notices,
  };
}

/**
 * Returns the rows as lines. Empty and hidden rows become empty lines, so that each line has the
 * number of its row.
 */
function linesOf({ rows }: Grid): readonly string[] {
  const lines: string[] = [];
  for (const { row, cells } of rows) {
    if (row > LAST_ROW) {
      const message = `The sheet has data in row ${row}, but at most ${LAST_ROW} rows are read. Split it into several files`;
      throw sheetError('sheet-limit', message);
    }
    while (lines.length < row - 1) lines.push('');
    lines.push(cells.map((cell) => cell.replaceAll(BREAKS, ' ').trim()).join('\t'));
  }
  if (lines.length === 0) throw sheetError('sheet-empty', 'The sheet has no rows');
  return lines;
}
