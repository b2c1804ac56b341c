import type { SheetChoices, SheetNotice } from '../../../../shared/contract/sheets.ts';
import type { ReadSheet } from '../../../core/sheet-ports.ts';
import type { Grid } from './grid.ts';
import { readBestSheet } from './best-sheet.ts';
import { type Book, readBook } from './book.ts';
import { readCsv } from './csv.ts';
import { tableOf } from './table.ts';
import { decodeText } from './text.ts';

/** Reads a file by its content regardless of its name. Throws 'invalid' with a reason `sheet-…`. */
export async function readSheet(data: Uint8Array, choices: SheetChoices): Promise<ReadSheet> {
  const book = await readBook(data, choices);
  if (book === null) return fromText(data, choices);
  return fromBook(await readBestSheet(data, book, choices), choices);
}

function fromBook({ format, grid, sheets, sheet }: Book, choices: SheetChoices): ReadSheet {
  const { rows, ...table } = tableOf(fillRows(grid), choices.headerRow);
  const names = sheets.map(({ name, hidden }) => ({ name, hidden }));
  const text = { encoding: null, delimiter: null };
  return {
    shape: { format, sheets: names, sheet, ...text, ...table, rows: rows.length },
    rows,
  };
}

/**
 * Fills all rows to the same width: workbooks omit empty cells, so a shorter row has no missing
 * cell.
 */
function fillRows(grid: Grid): Grid {
  const width = Math.max(0, ...grid.rows.map(({ cells }) => cells.length));
  const rows = grid.rows.map((row) => ({
    ...row,
    cells: [...row.cells, ...Array<string>(width - row.cells.length).fill('')],
  }));
  return { ...grid, rows };
}

function fromText(data: Uint8Array, choices: SheetChoices): ReadSheet {
  const { text, encoding, isGuessed } = decodeText(data, choices.encoding);
  const { grid, delimiter } = readCsv(text, choices.delimiter);
  const { rows, ...table } = tableOf(grid, choices.headerRow);
  const guessed: readonly SheetNotice[] = isGuessed ? [{ code: 'guessed-encoding', count: 1 }] : [];
  const notices = [...table.notices, ...guessed];
  const about = { sheets: [], sheet: null, encoding, delimiter };
  return { shape: { format: 'csv', ...about, ...table, notices, rows: rows.length }, rows };
}
