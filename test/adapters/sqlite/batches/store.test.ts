import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OutboxRef, TemplateId } from '../../../../shared/model/ids.ts';
import { newBatch, newConnection, outboxEntry, remote } from '../samples.ts';
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

it('an edited cell is stored, with its original value', () => {
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
])('an edit of several cells is rejected if one cell is unknown: $row:$column', (cell) => {
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
        message: `The batch has no cell in row ${String(cell.row)}, column ${String(cell.column)}`,
      },
    }),
  );
  expect(batches.rows(id).map(({ cells }) => cells)).toEqual([['Astrid'], ['Bo']]);
  expect(batches.get(id).updatedAt).toBe(NOW);
});

describe('a batch imported with edited cells', () => {
  const changed = {
    edits: [
      { row: 2, column: 0, text: 'Eva' },
      { row: 3, column: 0, text: 'Nils' },
    ],
    choices: new Map([
      [2, false],
      [3, true],
    ]),
  };

  it('has every edit as soon as it exists (FE-H1)', () => {
    using place = tempDatabase();
    const { batches } = place.stores;
    const entry = newBatch(['Astrid', 'Bo']);
    batches.insert({ ...entry, ...changed });
    expect(batches.rows(entry.batch.id)).toMatchObject([
      { row: 2, cells: ['Eva'], original: ['Astrid'], choice: false },
      { row: 3, cells: ['Nils'], original: ['Bo'], choice: true },
    ]);
    expect(batches.get(entry.batch.id)).toMatchObject({ stage: 'open', revision: 1 });
  });

  it('is not added if one of the edits cannot be written (FE-H1)', () => {
    using place = tempDatabase();
    const { batches } = place.stores;
    const entry = newBatch(['Astrid', 'Bo']);
    const edits = [...changed.edits, { row: 3, column: 9, text: 'There is no such column' }];
    expect(() => batches.insert({ ...entry, ...changed, edits })).toThrow(
      'no cell in row 3, column 9',
    );
    expect(batches.list()).toEqual([]);
    expect(batches.rows(entry.batch.id)).toEqual([]);
  });
});

/** Returns a data file with two batches, which have the rows 2 and 3 each. */
function withTwo() {
  const place = tempDatabase();
  const { batches, connections } = place.stores;
  const connection = newConnection();
  connections.save(connection);
  const names = ['Astrid', 'Bo'];
  const one = newBatch(names, { name: 'One' });
  const two = newBatch(names, { name: 'Two', updatedAt: NOW + 1 });
  for (const entry of [one, two]) batches.insert(entry);
  return Object.assign(place, { batches, connection, one: one.batch.id, two: two.batch.id });
}

describe('two batches in the data file', () => {
  it('are listed by last change, each with its own row count', () => {
    using place = withTwo();
    const { batches, one, two } = place;
    batches.insert(newBatch(['Eva'], { updatedAt: NOW - 1 }));
    const listed = () => batches.list().map(({ name, rows }) => `${name} ${String(rows)}`);
    expect(listed()).toEqual(['Two 2', 'One 2', 'Leases of May 1']);
    batches.change(one, { name: 'First' }, NOW + 2);
    expect(listed()).toEqual(['First 2', 'Two 2', 'Leases of May 1']);
    batches.remove(two);
    expect(listed()).toEqual(['First 2', 'Leases of May 1']);
    expect([batches.rows(one).length, batches.rows(two).length]).toEqual([2, 0]);
  });

  it('have only the requested row edited, selected, marked as failed or named', () => {
    using place = withTwo();
    const { batches, one, two } = place;
    const untouched = { cells: ['Astrid'], choice: null, failure: null, ref: null };
    const ref = OutboxRef.parse(randomUUID());
    batches.edit(one, [{ row: 3, column: 0, text: 'Eva' }], NOW + 2);
    batches.choose(one, [3], true, NOW + 3);
    batches.setFailure(one, 3, 'Too long');
    batches.setRefs(one, [{ row: 3, ref, hash: 'ab' }]);
    expect(batches.rows(one)).toMatchObject([
      { row: 2, ...untouched },
      { row: 3, cells: ['Eva'], choice: true, failure: 'Too long', ref },
    ]);
    expect(batches.rows(two)).toMatchObject([
      { row: 2, ...untouched },
      { row: 3, ...untouched, cells: ['Bo'] },
    ]);
    expect([batches.get(one).updatedAt, batches.get(two).updatedAt]).toEqual([NOW + 3, NOW + 1]);
    expect([batches.get(one).revision, batches.get(two).revision]).toEqual([3, 1]);
  });

  it('get new rows only in the requested batch', () => {
    using place = withTwo();
    const { batches, two } = place;
    const replaced = OutboxRef.parse(randomUUID());
    const entry = newBatch(['Astrid', 'Bo']);
    batches.insert({ ...entry, replaces: new Map([[3, replaced]]) });
    const { id } = entry.batch;
    const rows = ['Eva', 'Nils', 'Siv'].map((name, at) => ({
      row: at + 2,
      cells: [name],
      marks: [],
    }));
    batches.setRows(id, entry.batch.sheet, { sheet: 'Two' }, rows, NOW + 5);
    expect(batches.rows(id).map(({ row, cells, replaces }) => [row, ...cells, replaces])).toEqual([
      [2, 'Eva', null],
      [3, 'Nils', replaced],
      [4, 'Siv', null],
    ]);
    expect(batches.get(id)).toMatchObject({ choices: { sheet: 'Two' }, updatedAt: NOW + 5 });
    expect(batches.rows(two).map(({ cells }) => cells)).toEqual([['Astrid'], ['Bo']]);
  });
});

it('an excluded row loses its failure; a selected row keeps it', () => {
  using place = withTwo();
  const { batches, one } = place;
  const rowAfter = (choice: boolean | null) => {
    batches.setFailure(one, 2, 'Too long');
    batches.choose(one, [2], choice, NOW + 2);
    return batches.rows(one)[0];
  };
  expect(rowAfter(true)).toMatchObject({ choice: true, failure: 'Too long' });
  expect(rowAfter(null)).toMatchObject({ choice: null, failure: 'Too long' });
  expect(rowAfter(false)).toMatchObject({ choice: false, failure: null });
  batches.setFailure(one, 2, 'Too long');
  batches.edit(one, [{ row: 2, column: 0, text: 'Eva' }], NOW + 3);
  expect(batches.rows(one)[0]).toMatchObject({ failure: null });
});

it('a batch with rows in the outbox is no longer changed, and its stage only moves forward', () => {
  using place = withTwo();
  const { batches, one, two } = place;
  expect(batches.setStage(one, 'arming', 'armed', NOW + 2)).toBe(false);
  expect(batches.setStage(one, 'open', 'arming', NOW + 2)).toBe(true);
  expect(batches.arming()).toEqual([one]);
  expect([batches.get(one).stage, batches.get(two).stage]).toEqual(['arming', 'open']);
  const { sheet } = batches.get(one);
  const armed = expect.objectContaining({
    failure: expect.objectContaining({ code: 'conflict', reason: 'batch-armed' }),
  });
  for (const change of [
    () => batches.change(one, { name: 'Other' }, NOW + 3),
    () => batches.setRows(one, sheet, {}, [], NOW + 3),
    () => batches.edit(one, [{ row: 2, column: 0, text: 'Eva' }], NOW + 3),
    () => batches.choose(one, [2], true, NOW + 3),
    () => batches.remove(one),
  ]) {
    expect(change).toThrowError(armed);
  }
  expect(batches.get(one)).toMatchObject({ name: 'One', updatedAt: NOW + 2 });
});

describe('the last send of the same content', () => {
  /** Returns two batches; a row of `Two` with the hash `ab` is in the outbox since `NOW`. */
  function withSent() {
    const place = withTwo();
    const { batches, connection, two, stores } = place;
    const entry = outboxEntry(connection, { rowNo: 2 });
    const { ref } = entry.item;
    stores.outbox.insert(entry, NOW);
    batches.setRefs(two, [{ row: 2, ref, hash: 'ab' }]);
    batches.setStage(two, 'open', 'arming', NOW);
    return Object.assign(place, { ref });
  }

  it('is reported to other batches with its batch, row and time', () => {
    using place = withSent();
    const { batches, one, two } = place;
    expect(batches.sentBefore(['ab'], one)).toEqual(new Map());
    batches.setStage(two, 'arming', 'armed', NOW);
    expect(batches.sentBefore(['ab'], one).get('ab')).toMatchObject({
      batchName: 'Two',
      row: 2,
      at: NOW,
    });
    expect(batches.sentBefore(['ab'], two)).toEqual(new Map());
    expect(batches.sentBefore(['cd'], one)).toEqual(new Map());
  });

  it('is the latest of several sends', () => {
    using place = withSent();
    const { batches, connection, one, two, stores } = place;
    batches.setStage(two, 'arming', 'armed', NOW);
    for (const [row, at] of [
      [2, NOW + 9],
      [3, NOW + 5],
    ] as const) {
      const later = newBatch(['Astrid', 'Bo'], { name: `Later ${String(row)}` });
      batches.insert(later);
      const entry = outboxEntry(connection);
      stores.outbox.insert(entry, at);
      batches.setRefs(later.batch.id, [{ row, ref: entry.item.ref, hash: 'ab' }]);
      batches.setStage(later.batch.id, 'open', 'arming', at);
      batches.setStage(later.batch.id, 'arming', 'armed', at);
    }
    expect(batches.sentBefore(['ab'], one).get('ab')).toMatchObject({
      batchName: 'Later 2',
      at: NOW + 9,
    });
  });

  it('is never an unsent row', () => {
    using place = withSent();
    const { batches, one, two, ref, stores } = place;
    batches.setStage(two, 'arming', 'armed', NOW);
    const cancel = { to: 'cancelled', cause: 'person', actor: 'person' } as const;
    expect(stores.outbox.move(ref, ['queued'], cancel, NOW + 1)).toBe(true);
    expect(batches.sentBefore(['ab'], one)).toEqual(new Map());
  });
});

it('agreements of rows are recognised by their keys when another copy of the program sent them', () => {
  using place = withTwo();
  const { batches, connection, stores } = place;
  const other = newConnection();
  stores.connections.save(other);
  const entry = outboxEntry(connection);
  stores.outbox.insert(entry, NOW);
  const put = (of: typeof connection, id: string, tags: Record<string, string>) =>
    stores.agreements.put(of.id, 'v1', [remote({ id, tags })], NOW);
  put(connection, 'foreign', { 'desk.key': 'k1', 'desk.ref': randomUUID() });
  put(connection, 'keyed', { 'desk.key': 'k2' });
  put(connection, 'ours', { 'desk.key': 'k3', 'desk.ref': entry.item.ref });
  put(connection, 'plain', { note: '"desk.key"' });
  put(other, 'theirs', { 'desk.key': 'k4', 'desk.ref': entry.item.ref });
  expect(batches.foreignKeys([connection.id])).toEqual(
    new Map([
      ['k1', 'foreign'],
      ['k2', 'keyed'],
    ]),
  );
  // The outbox row that `theirs` names belongs to the first connection, not to `other`.
  expect(batches.foreignKeys([other.id])).toEqual(new Map([['k4', 'theirs']]));
  expect([...batches.foreignKeys([connection.id, other.id]).keys()]).toEqual(['k1', 'k2']);
});

it('the last column mapping is remembered by template and headers', () => {
  using place = withTwo();
  const { batches } = place;
  const [a, b] = [randomUUID(), randomUUID()].map((id) => TemplateId.parse(id));
  if (a === undefined || b === undefined) throw new Error('No templates');
  const match = (column: string) => [{ placeholder: 'Name', column, dayOrder: 'iso' as const }];
  batches.remember(a, 'Name', match('A'), NOW);
  batches.remember(a, 'Other', match('B'), NOW);
  batches.remember(b, 'Name', match('C'), NOW);
  batches.remember(a, 'Name', match('D'), NOW + 1);
  expect(batches.recall(a, 'Name')).toEqual(match('D'));
  expect(batches.recall(a, 'Other')).toEqual(match('B'));
  expect(batches.recall(b, 'Name')).toEqual(match('C'));
  expect(batches.recall(b, 'Other')).toBeNull();
});
