import type { SheetColumn, SheetRow } from '../../../../shared/contract/sheets.ts';
import { guessHeader } from '../../../../shared/rules/batches/header.ts';
import { isTotalRow } from '../../../../shared/rules/batches/total-row.ts';
import { headerKey } from '../../../../shared/rules/batches/synonyms.ts';
import type { ReadSheet } from '../../../core/sheet-ports.ts';
import { type Grid, type GridRow, columnLetters, countedNotice } from './grid.ts';
import { isErrorText } from './error-text.ts';
import { MAX_CELL_LENGTH, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from './limits.ts';
import { sheetError } from './refuse.ts';
import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

type TableWithHeader = Pick<ReadSheet['shape'], 'headerRow' | 'columns' | 'notices'> &
  Pick<ReadSheet, 'rows'>;

/**
 * Converts a grid to named columns with rows below them. Throws if there are no rows, if two
 * columns have the same name, and beyond the limits. Cells are never moved: a row of another width
 * keeps its cells in place, and is marked.
 */
export function tableOf(grid: Grid, headerRow: number | undefined): TableWithHeader {
  const at =
    headerRow === undefined
      ? guessHeader(grid.rows.map(({ cells }) => cells))
      : grid.rows.findIndex(({ row }) => row === headerRow);
  const header = grid.rows[at];
  const rows = grid.rows.slice(at + 1);
  if (header === undefined || rows.length === 0) {
    throw sheetError('sheet-empty', 'The sheet has no rows below its header');
  }
  rejectLarge(rows, header);
  const used = usedColumns(header, rows);
  const columns = used.map((place) => nameColumn(header.cells[place] ?? '', place));
  assertUniqueNames(columns);
  const unnamed = used.filter((place) => (header.cells[place] ?? '').trim() === '').length;
  const width = header.cells.length;
  const last = lastFilledIndex(header.cells);
  return {
    headerRow: header.row,
    columns,
    rows: rows.map((row) => pickCells(row, used, width, last)),
    notices: [
      ...grid.notices,
      ...countedNotice('rows-above-header', at),
      ...countedNotice('unnamed-columns', unnamed),
      ...countedNotice('empty-columns', width - used.length > 0 ? width - used.length : 0),
    ],
  };
}

function rejectLarge(rows: readonly GridRow[], header: GridRow): void {
  if (rows.length > MAX_SHEET_ROWS) {
    throw sheetError(
      'sheet-limit',
      `The sheet has ${rows.length} rows, but at most ${MAX_SHEET_ROWS} are read. Split it into several files`,
    );
  }
  if (
    header.cells.length > MAX_SHEET_COLUMNS &&
    lastFilledIndex(header.cells) >= MAX_SHEET_COLUMNS
  ) {
    throw sheetError('sheet-limit', `The sheet has more than ${MAX_SHEET_COLUMNS} columns`);
  }
  for (const { row, cells } of rows) {
    if (cells.some((cell) => cell.length > MAX_CELL_LENGTH)) {
      throw sheetError(
        'sheet-limit',
        `A cell in row ${row} has more than ${MAX_CELL_LENGTH} characters`,
      );
    }
  }
}

/** Returns the columns with a name or any content, in order. */
function usedColumns(header: GridRow, rows: readonly GridRow[]): readonly number[] {
  const filled = new Set<number>();
  for (const { cells } of [header, ...rows]) {
    for (const [place, cell] of cells.entries()) if (cell.trim() !== '') filled.add(place);
  }
  const width = header.cells.length;
  // Cells beyond the header belong to no column; their row is marked.
  return [...filled].filter((place) => place < width).toSorted((a, b) => a - b);
}

function nameColumn(header: string, place: number): SheetColumn {
  const letter = columnLetters(place);
  const name = header.replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim();
  return {
    name:
      name === ''
        ? `Column ${letter}`
        : name.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC'),
    letter,
  };
}

function assertUniqueNames(columns: readonly SheetColumn[]): void {
  const seen = new Map<string, SheetColumn>();
  for (const column of columns) {
    const key = headerKey(column.name) || column.name;
    const other = seen.get(key);
    if (other !== undefined) {
      const places = `${other.letter} and ${column.letter}`;
      throw sheetError('sheet-headers', `Two columns are named "${column.name}": ${places}`);
    }
    seen.set(key, column);
  }
}

function pickCells(
  { row, cells, marks }: GridRow,
  used: readonly number[],
  width: number,
  last: number,
): SheetRow {
  const picked = used.map((place) => cells[place] ?? '');
  const kept = marks.flatMap(([place, ...said]): SheetRow['marks'] => {
    const column = used.indexOf(place);
    return column < 0 ? [] : [[column, ...said]];
  });
  const isTooWide = lastFilledIndex(cells) >= width;
  // A spreadsheet fills every row; a short row was written by hand, or truncated.
  const isShort = cells.length <= last && cells.length < width;
  const ragged: SheetRow['marks'] = isTooWide || isShort ? [[0, 'ragged']] : [];
  const total: SheetRow['marks'] = isTotalRow(picked) ? [[0, 'total']] : [];
  const errors = picked.flatMap((cell, column): SheetRow['marks'] => {
    const isTold = kept.some(([at, mark]) => at === column && mark !== 'formula');
    return !isTold && isErrorText(cell) ? [[column, 'cell-error']] : [];
  });
  return { row, cells: picked, marks: [...kept, ...errors, ...ragged, ...total] };
}

function lastFilledIndex(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '');
}
