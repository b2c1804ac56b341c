import { expect, it } from 'vitest';
import { OutboxRef } from '../../../shared/model/ids.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';

it('a batch counts every row that needs attention, until it is corrected in a new batch (SC-02)', async () => {
  using started = await startBatchDesk();
  const { desk, world } = started;
  const batch = await addBatch(started, await addLease(desk), people(4));
  const { id } = batch;
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm: 4, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  const rows = await desk.api['outbox.list']({ batchId: id });
  const endings = ['rejected', 'human', 'sent', 'rejected'] as const;
  for (const [at, to] of endings.entries()) {
    const ref = OutboxRef.parse(rows[at]?.ref);
    const reason = { code: 'invalid', message: 'Refused' } as const;
    const move = { to, cause: 'answer', reason: to === 'sent' ? null : reason, nextAt: null };
    world.stores.outbox.move(ref, ['queued'], move, world.clock.now());
  }
  const going = async () =>
    (await desk.api['batches.list']({})).find((one) => one.id === id)?.going;
  const asked = async () =>
    (await desk.api['outbox.list']({ batchId: id, needsPerson: true })).map(({ state }) => state);
  expect(await going()).toEqual({
    gate: 'open',
    waiting: 0,
    needsPerson: 3,
    givenUp: 0,
  });
  expect(await desk.api['outbox.batches']({})).toMatchObject([{ needsPerson: 3 }]);
  expect(await asked()).toEqual(['rejected', 'human', 'rejected']);
  await desk.api['batches.refusedRows']({ id });
  expect(await desk.api['batches.progress']({ id })).toMatchObject({ refused: 2, needsPerson: 1 });
  expect(await asked()).toEqual(['human']);
});

it("a row that the service refused shows the service's reason, and no fault of the sheet (SC-10)", async () => {
  using started = await startBatchDesk();
  const { desk, world } = started;
  const { id } = await addBatch(started, await addLease(desk), people(1));
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm: 1, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  const [only] = await desk.api['outbox.list']({ batchId: id });
  const reason = {
    code: 'invalid',
    message: 'v1.agreements.create: HTTP 422: blocked by policy',
    said: 'blocked by policy',
    fields: { 'parties.0.email': 'Not an address' },
  } as const;
  const step = { to: 'rejected', cause: 'answer', reason, nextAt: null } as const;
  world.stores.outbox.move(OutboxRef.parse(only?.ref), ['queued'], step, world.clock.now());
  const again = await desk.api['batches.refusedRows']({ id });
  const window = { id: again.id, filter: 'all', offset: 0, limit: 10 } as const;
  const { rows } = await desk.api['batches.rows'](window);
  const [problem] = rows[0]?.problems ?? [];
  expect(problem).toMatchObject({
    code: 'refused',
    detail: 'blocked by policy; parties.0.email: Not an address',
  });
  expect(problem?.message).toMatch(/^The service refused this row: 'blocked by policy/);
  expect((await desk.api['batches.check']({ id: again.id })).everywhere).toEqual([]);
});
