import { expect, it } from 'vitest';
import { newBatch } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

function withBatch() {
  const place = tempDatabase();
  const { batches } = place.stores;
  const entry = newBatch(['Astrid', 'Bo']);
  const [first, second] = entry.rows;
  if (first === undefined || second === undefined) throw new Error('No rows');
  const marks: typeof first.marks = [
    [0, 'date'],
    [1, 'date'],
    [0, 'ragged'],
    [1, 'ragged'],
  ];
  batches.insert({ ...entry, rows: [{ ...first, marks }, second] });
  return Object.assign(place, { batches, id: entry.batch.id });
}

it('a changed cell is the word of a person, and what the sheet said is kept beside it', () => {
  using place = withBatch();
  const { batches, id } = place;
  const edit = (text: string) => batches.edit(id, [{ row: 2, column: 0, text }], NOW + 1);
  expect(edit('Eva')).toEqual([{ row: 2, column: 0, text: 'Astrid' }]);
  expect(edit('Eva Ek')).toEqual([{ row: 2, column: 0, text: 'Eva' }]);
  expect(batches.rows(id)).toMatchObject([
    { row: 2, cells: ['Eva Ek'], original: ['Astrid'], marks: [[1, 'date']] },
    { row: 3, cells: ['Bo'], original: null },
  ]);
  expect(batches.get(id).updatedAt).toBe(NOW + 1);
});

it.each([
  { row: 4, column: 0 },
  { row: 1, column: 0 },
  { row: 2, column: 1 },
  { row: 2, column: -1 },
])('a cell that is not there cannot be changed, nor another with it: $row:$column', (cell) => {
  using place = withBatch();
  const { batches, id } = place;
  const edits = [
    { row: 3, column: 0, text: 'Eva' },
    { ...cell, text: 'Eva' },
  ];
  expect(() => batches.edit(id, edits, NOW + 1)).toThrowError(
    expect.objectContaining({
      failure: {
        code: 'not-found',
        message: `The batch has no cell ${String(cell.row)}:${String(cell.column)}`,
      },
    }),
  );
  expect(batches.rows(id).map(({ cells }) => cells)).toEqual([['Astrid'], ['Bo']]);
  expect(batches.get(id).updatedAt).toBe(NOW);
});
