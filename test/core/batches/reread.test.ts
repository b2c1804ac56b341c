import { expect, it } from 'vitest';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';

it('reading a file again first shows how many edited rows will be lost', async () => {
  using started = await startBatchDesk();
  const { api } = started.desk;
  const { id, choices } = await addBatch(started, await addLease(started.desk), people(5));
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 0 });
  const edits = [0, 1].map((column) => ({ row: 2, column, text: 'Eva' }));
  await api['batches.edit']({ id, edits });
  await api['batches.exclude']({ id, rows: [4], isExcluded: true });
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 2 });
  await api['batches.reread']({ id, choices });
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 0 });
});
