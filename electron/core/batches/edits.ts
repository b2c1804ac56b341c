import type { CellEdit } from '../../../shared/contract/batches.ts';
import type { SheetRow } from '../../../shared/contract/sheets.ts';
import type { StoredRow } from './ports.ts';

type EditedRow = Pick<SheetRow, 'row' | 'cells' | 'marks'> & {
  readonly original: StoredRow['original'];
};

/** Returns a row with the cells of the file, without the user's edits. */
export function toFileRow({ row, cells, original, marks }: EditedRow): SheetRow {
  return { row, cells: [...(original ?? cells)], marks };
}

/** Returns the user's edits of a row. */
export function editsOf({ row, cells, original }: EditedRow): readonly CellEdit[] {
  return cells.flatMap((text, column) =>
    original === null || original[column] === text ? [] : [{ row, column, text }],
  );
}
