import type { BatchRow, CellEdit } from '../../../../shared/contract/batches.ts';
import { parsePastedCells } from '../../../../shared/rules/sheets/pasted-cells.ts';

type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'isComposing' | 'getModifierState'
>;

/**
 * Text with which a key starts an edit of a cell: a character, or '' for an input method or a dead
 * key. Null for every other key, and for Space, which excludes the row.
 */
export function typedTextOf(event: PressedKey): string | null {
  const { key, ctrlKey, altKey, metaKey, isComposing } = event;
  if (isComposing || key === 'Process' || key === 'Dead') return '';
  if ([...key].length !== 1 || key === ' ') return null;
  // AltGr types characters, such as @ on many keyboards.
  const isCommand = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  return isCommand ? null : key;
}

/** Converts a pasted table to edits, from the first of these rows and columns on. */
export function pastedEdits(
  rows: readonly BatchRow[],
  columns: readonly number[],
  text: string,
): readonly CellEdit[] {
  return parsePastedCells(text).flatMap((cells, down) => {
    const row = rows[down];
    if (row === undefined) return [];
    return cells.flatMap((cell, right) => {
      const column = columns[right];
      return column === undefined ? [] : [{ row: row.row, column, text: cell }];
    });
  });
}
