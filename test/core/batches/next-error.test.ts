import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch, CellPosition } from '../../../shared/contract/batches.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

/** Position before the first cell, as the window sends it while no cell is active. */
const BEFORE_ALL: CellPosition = { row: 0, column: -1 };

let started: BatchDesk;

beforeEach(async () => {
  started = await startBatchDesk();
});
afterEach(() => started[Symbol.dispose]());

/** Cells to which the next error leads, one after another, until the first one comes again. */
async function errorsOf({ id }: Batch): Promise<readonly CellPosition[]> {
  const found: CellPosition[] = [];
  const isKnown = ({ row, column }: CellPosition) =>
    found.some((one) => one.row === row && one.column === column);
  let after = BEFORE_ALL;
  for (;;) {
    const next = await started.desk.api['batches.nextError']({ id, after });
    if (next === null || isKnown(next)) return found;
    found.push(next);
    after = next;
  }
}

describe('the next error of a batch', () => {
  it('leads to every error once, row by row, also to several errors in one row', async () => {
    const [first = '', second = '', third = ''] = people(3);
    const bad = second.replace(/;\d{12};/, ';12;').replace('@', '');
    const rows = [first, bad, third.replace('@', '')];
    const batch = await addBatch(started, await addLease(started.desk), rows);
    expect(await errorsOf(batch)).toEqual([
      { row: 3, column: 2 },
      { row: 3, column: 3 },
      { row: 4, column: 3 },
    ]);
  });

  it('begins in the first shown column for an error of a whole row', async () => {
    // Every party needs a last name, and no column has one.
    const rows = people(1).map((line) => `Lund;${line.replace(/;[^;]*/, '')}`);
    const header = 'Ort;Förnamn;Personnummer;E-post;Monthly rent';
    const batch = await addBatch(started, await addLease(started.desk), rows, { header });
    const matches = batch.matches.map((match) =>
      match.column === null ? { ...match, isLeftEmpty: true } : match,
    );
    const { id } = batch;
    await started.desk.api['batches.setMatches']({ id, matches });
    const { rows: shown } = await started.desk.api['batches.rows']({
      id,
      filter: 'all',
      offset: 0,
      limit: 1,
    });
    const errors = shown.flatMap(({ problems }) => problems.filter(({ isError }) => isError));
    expect(errors.map(({ column }) => column)).toEqual([null]);
    // The unused column is shown after the others.
    expect(await errorsOf(batch)).toEqual([{ row: 2, column: 1 }]);
  });
});
