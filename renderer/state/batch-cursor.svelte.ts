/** The cell that the keyboard is on, and whether it is being changed. */
export class CellCursor {
  /** The spreadsheet's own number. */
  row = $state<number | null>(null);
  column = $state(0);
  editing = $state(false);

  go(row: number, column: number): void {
    this.row = row;
    this.column = column;
    this.editing = false;
  }

  /** One column on, within the sheet. */
  move(by: number, columns: number): void {
    this.column = Math.max(0, Math.min(columns - 1, this.column + by));
  }
}
