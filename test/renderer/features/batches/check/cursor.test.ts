import { describe, expect, it } from 'vitest';
import { CellCursor } from '../../../../../renderer/features/batches/check/cursor.svelte.ts';
import { pastedEdits } from '../../../../../renderer/features/batches/check/cell-keys.ts';

/** Columns 1 and 3 are shown first, because the template uses only these. */
const ORDER = [1, 3, 0, 2];

describe('the cursor in the check of a batch', () => {
  it('moves through the columns as they are shown, and stops at both ends', () => {
    const cursor = new CellCursor(1);
    const visited = [1, 1, 1, 1, -1, -1, -1, -1].map((by) => {
      cursor.move(by, ORDER);
      return cursor.column;
    });
    expect(visited).toEqual([3, 0, 2, 2, 0, 3, 1, 1]);
  });

  it('searches the next error after its cell, and before the first cell if there is none', () => {
    const cursor = new CellCursor(1);
    expect(cursor.searchFrom).toEqual({ row: 0, column: -1 });
    cursor.go(4, 3);
    expect(cursor.searchFrom).toEqual({ row: 4, column: 3 });
  });

  it('searches the next error after the cell that Enter ended, also in the same row', () => {
    const cursor = new CellCursor(1);
    cursor.go(4, 1);
    cursor.goOn(5, { row: 4, column: 1 });
    expect(cursor.searchFrom).toEqual({ row: 4, column: 1 });
    cursor.move(1, ORDER);
    expect(cursor.searchFrom).toEqual({ row: 5, column: 3 });
  });
});

it('a pasted table fills the columns as they are shown, and never more columns than there are', () => {
  const rows = [4, 5].map((row) => ({
    row,
    cells: ['', '', '', ''],
    isExcluded: false,
    isEdited: false,
    problems: [],
    outcome: null,
  }));
  expect(pastedEdits(rows, ORDER.slice(2), 'a\tb\tc\nd')).toEqual([
    { row: 4, column: 0, text: 'a' },
    { row: 4, column: 2, text: 'b' },
    { row: 5, column: 0, text: 'd' },
  ]);
});
