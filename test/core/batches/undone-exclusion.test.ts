import { expect, it } from 'vitest';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';

it('a row whose exclusion was undone is still excluded when an edit makes it a duplicate', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const template = await addLease(desk);
  const [row = ''] = people(1);
  const sent = await addBatch(started, template, [row]);
  const { jobId } = await desk.api['batches.send']({ ...sent, confirm: 1 });
  expect((await desk.finish(jobId)).state).toBe('done');
  await desk.api['outbox.run']({});

  const { id, sheet } = await addBatch(started, template, [row.replace('9000', '9500')]);
  const rows = [2];
  const excluded = await desk.api['batches.exclude']({ id, rows, isExcluded: true });
  expect(excluded.before).toEqual([{ row: 2, isExcluded: null }]);
  // The window makes this call to undo an exclusion.
  const undone = await desk.api['batches.exclude']({ id, rows, isExcluded: null });
  expect(undone).toMatchObject({ check: { ready: 1 }, before: [{ row: 2, isExcluded: true }] });
  const column = sheet.columns.findIndex(({ name }) => name === 'Monthly rent');
  const edits = [{ row: 2, column, text: '9000' }];
  const { check } = await desk.api['batches.edit']({ id, edits });
  expect(check).toMatchObject({ ready: 0, excluded: 1 });
});
