import type { CellPosition } from '../../../../shared/contract/batches.ts';

export class CellCursor {
  /** Row number as in the spreadsheet. */
  row = $state<number | null>(null);
  /** Index of the column in the spreadsheet. */
  column = $state(0);
  editing = $state(false);
  /** Text that replaces the cell's text when its editing starts; null keeps the cell's text. */
  first = $state<string | null>(null);

  /**
   * The cell that the user left with Enter, which made the row below active without a choice of the
   * user; null after any other move.
   */
  #leftCell: CellPosition | null = null;

  constructor(column: number) {
    this.column = column;
  }

  go(row: number, column: number): void {
    this.row = row;
    this.column = column;
    this.editing = false;
    this.#leftCell = null;
  }

  /**
   * Ends the editing of the cell `edited` after Enter, and makes another row active for the next
   * value of the column.
   */
  goOn(row: number, edited: CellPosition): void {
    this.row = row;
    this.#leftCell = edited;
  }

  /** Cell after which the search for the next error starts. */
  get searchFrom(): CellPosition {
    return this.#leftCell ?? { row: this.row ?? 0, column: this.row === null ? -1 : this.column };
  }

  /** Starts editing the cell; with `first`, its text is replaced. */
  edit(first: string | null): void {
    this.first = first;
    this.editing = true;
  }

  /** Moves by `by` columns, in the order in which they are shown. */
  move(by: number, order: readonly number[]): void {
    this.#leftCell = null;
    const place = order.indexOf(this.column) + by;
    this.column = order[Math.max(0, Math.min(order.length - 1, place))] ?? 0;
  }
}
