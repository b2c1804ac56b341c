import type { CellPosition } from '../../../../shared/contract/batches.ts';

export class CellCursor {
  /** Row number as in the spreadsheet. */
  row = $state<number | null>(null);
  column = $state(0);
  editing = $state(false);
  /** Text that replaces the cell's text on editing; null keeps the text. */
  first = $state<string | null>(null);

  /**
   * The cell that was left with Enter; the row below became active without the user choosing it.
   */
  #leftCell: CellPosition | null = null;

  go(row: number, column: number): void {
    this.row = row;
    this.column = column;
    this.editing = false;
    this.#leftCell = null;
  }

  /**
   * Enter ends the cell `edited` and makes another row active, for the next value of the column.
   */
  goOn(row: number, edited: CellPosition): void {
    this.row = row;
    this.#leftCell = edited;
  }

  /** The search for the next error starts after this cell. */
  get searchFrom(): CellPosition {
    return this.#leftCell ?? { row: this.row ?? 0, column: this.row === null ? -1 : this.column };
  }

  /** Starts editing the cell; with `first`, its text is replaced. */
  edit(first: string | null): void {
    this.first = first;
    this.editing = true;
  }

  /** Moves by `by` columns, within the sheet. */
  move(by: number, columns: number): void {
    this.#leftCell = null;
    this.column = Math.max(0, Math.min(columns - 1, this.column + by));
  }
}
