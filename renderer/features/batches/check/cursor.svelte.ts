import type { CellPlace } from '../../../../shared/contract/batches.ts';

/** The cell that the keyboard is on, and whether it is being changed. */
export class CellCursor {
  /** The spreadsheet's own number. */
  row = $state<number | null>(null);
  column = $state(0);
  editing = $state(false);
  /** What the cell's own text gives way to as it is edited; null: it is changed, not replaced. */
  first = $state<string | null>(null);

  /** The cell that was left by Enter for one that a person did not choose. */
  #leftCell: CellPlace | null = null;

  go(row: number, column: number): void {
    this.row = row;
    this.column = column;
    this.editing = false;
    this.#leftCell = null;
  }

  /** Enter ends the cell `edited` and goes to another row, where the next text of a column is typed. */
  goOn(row: number, edited: CellPlace): void {
    this.row = row;
    this.#leftCell = edited;
  }

  /** The next error is looked for after this cell. */
  get searchFrom(): CellPlace {
    return this.#leftCell ?? { row: this.row ?? 0, column: this.row === null ? -1 : this.column };
  }

  /** Begins to change the cell, or, with `first`, to write over it. */
  edit(first: string | null): void {
    this.first = first;
    this.editing = true;
  }

  /** One column on, within the sheet. */
  move(by: number, columns: number): void {
    this.#leftCell = null;
    this.column = Math.max(0, Math.min(columns - 1, this.column + by));
  }
}
