import type { SheetRow } from '../../../../shared/contract/sheets.ts';
import { type Grid, type GridRow, countedNotice } from './grid.ts';
import { MergedAreas } from './merged-areas.ts';
import type { Cell } from './cell.ts';
import {
  MAX_CELL_LENGTH,
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROWS,
  MAX_TOTAL_TEXT_LENGTH,
} from './limits.ts';
import { sheetError } from './refuse.ts';

/** Maximum number of rows above a header. */
const MAX_ABOVE = 50;
/** Marks that a cell can have in addition to being calculated. */
const MARKS_ALLOWED_WITH_FORMULA: readonly (string | null)[] = [
  null,
  'date',
  'date-form',
  'decimal',
  'truth',
];

/** Collects the cells of one sheet of a workbook, within the limits. */
export class SheetGrid {
  readonly merged = new MergedAreas();
  /** Whether a filter hides rows. */
  isFiltered = false;
  readonly #readsHidden: boolean;
  readonly #hiddenColumns = new Set<number>();
  readonly #rows: GridRow[] = [];
  #cells: string[] = [];
  #marks: SheetRow['marks'] = [];
  #number = 0;
  #length = 0;
  #empty = 0;
  #hiddenRows = 0;
  #formulas = 0;

  constructor(readsHidden: boolean) {
    this.#readsHidden = readsHidden;
  }

  /** Hides a column, counted from 0. */
  hideColumn(column: number): void {
    if (!this.#readsHidden && column < MAX_SHEET_COLUMNS) this.#hiddenColumns.add(column);
  }

  /** Begins a row; `number` is the row number in the spreadsheet, from 1. */
  startRow(number: number): void {
    this.#number = number;
    this.#cells = [];
    this.#marks = [];
  }

  /** Adds a cell to the row. Throws 'sheet-limit' if it is too long or too far right. */
  cell(column: number, { text, mark, offer }: Cell, isFormula: boolean): void {
    if (text === '' && mark === null) return;
    if (text.length > MAX_CELL_LENGTH) {
      throw sheetError(
        'sheet-limit',
        `A cell in row ${this.#number} has more than ${MAX_CELL_LENGTH} characters`,
      );
    }
    if (column >= MAX_SHEET_COLUMNS) {
      throw sheetError('sheet-limit', `The sheet has more than ${MAX_SHEET_COLUMNS} columns`);
    }
    while (this.#cells.length < column) this.#cells.push('');
    this.#cells[column] = text;
    if (isFormula) this.#formulas += 1;
    if (isFormula && MARKS_ALLOWED_WITH_FORMULA.includes(mark))
      this.#marks.push([column, 'formula']);
    if (mark !== null) this.#marks.push([column, mark, ...(offer === undefined ? [] : [offer])]);
  }

  /** Ends the row and keeps it, repeated `times`; returns false if it is empty. */
  endRow(isHidden: boolean, times = 1): boolean {
    const cells = this.#cells;
    const isEmpty = this.#marks.length === 0 && cells.every((cell) => cell.trim() === '');
    if (isEmpty) return false;
    if (isHidden && !this.#readsHidden) this.#hiddenRows += times;
    else this.#keep(cells, times);
    return true;
  }

  addEmpty(count: number): void {
    this.#empty += count;
  }

  grid(): Grid {
    const hidden = this.#hiddenColumns;
    const used = [...hidden].filter((at) =>
      this.#rows.some(({ cells }) => (cells[at] ?? '') !== ''),
    );
    const rows = this.#withMerged();
    return {
      rows: hidden.size === 0 ? rows : rows.map((row) => withoutColumns(row, hidden)),
      notices: [
        ...countedNotice('empty-rows', this.#empty),
        ...countedNotice(this.isFiltered ? 'filtered-rows' : 'hidden-rows', this.#hiddenRows),
        ...countedNotice('hidden-columns', used.length),
        ...countedNotice('formulas', this.#formulas),
      ],
    };
  }

  #keep(cells: string[], times: number): void {
    this.#length += times * cells.reduce((total, { length }) => total + length, 0);
    if (this.#length > MAX_TOTAL_TEXT_LENGTH) {
      throw sheetError(
        'sheet-limit',
        `The sheet has more than ${MAX_TOTAL_TEXT_LENGTH} characters`,
      );
    }
    if (this.#rows.length + times > MAX_SHEET_ROWS + MAX_ABOVE) {
      throw sheetError('sheet-limit', `The sheet has more than ${MAX_SHEET_ROWS} rows`);
    }
    const [first, marks] = [this.#number, this.#marks];
    for (let at = 0; at < times; at += 1) this.#rows.push({ row: first + at, cells, marks });
  }

  /**
   * Returns the rows with marks on merged cells: such a cell has no value of its own, or one for
   * several rows.
   */
  #withMerged(): readonly GridRow[] {
    const width = Math.max(0, ...this.#rows.map(({ cells }) => cells.length));
    const areas = this.merged.columnsOf(
      this.#rows.map(({ row }) => row),
      width,
    );
    return this.#rows.map((row, at) => {
      const merged = areas[at] ?? [];
      if (merged.length === 0) return row;
      const marks = row.marks.filter(([column]) => !merged.includes(column));
      return {
        ...row,
        marks: [...marks, ...merged.map((at): SheetRow['marks'][0] => [at, 'merged'])],
      };
    });
  }
}

function withoutColumns({ row, cells, marks }: GridRow, hidden: ReadonlySet<number>): GridRow {
  const kept = cells.map((cell, at) => (hidden.has(at) ? '' : cell));
  return { row, cells: kept, marks: marks.filter(([at]) => !hidden.has(at)) };
}
