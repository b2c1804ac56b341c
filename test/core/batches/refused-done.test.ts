import { expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import { AgreementId, OutboxRef } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const THEIRS = AgreementId.parse('theirs');

async function arm({ desk }: BatchDesk, { id }: Batch): Promise<void> {
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm: 1, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
}

async function onlyOf({ desk }: BatchDesk, { id }: Batch): Promise<OutboxRef> {
  const [only] = await desk.api['outbox.list']({ batchId: id });
  return OutboxRef.parse(only?.ref);
}

/** One batch row that the service rejects, while its list cannot be read. */
async function rejectOne(started: BatchDesk) {
  const { desk } = started;
  const { v1 } = desk.services;
  v1.answers.push({ kind: 'refused', failure: { code: 'invalid', message: 'blocked' } });
  v1.pages = [pageOf([])];
  v1.beforePage = () => {
    throw new AppError('offline', 'Not now');
  };
  const first = await addBatch(started, await addLease(desk), people(1));
  await arm(started, first);
  await desk.api['outbox.run']({});
  const ref = await onlyOf(started, first);
  expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'rejected', verify: true });
  return { first, ref };
}

/** The rejected row, corrected in a new batch. */
async function putRight({ desk }: BatchDesk, { id }: Batch): Promise<Batch> {
  const again = await desk.api['batches.refusedRows']({ id });
  const edits = [{ row: 2, column: 3, text: 'new@example.com' }];
  await desk.api['batches.edit']({ id: again.id, edits });
  return again;
}

/** Makes the list readable; with `isDone`, the list shows the rejected request as executed. */
async function workOn(
  { desk, connectionId }: BatchDesk,
  ref: OutboxRef,
  isDone: boolean,
  passes = 3,
) {
  const { v1 } = desk.services;
  v1.beforePage = () => {};
  if (isDone) {
    const { title } = await desk.api['outbox.show']({ ref });
    const made = remoteOf({ id: THEIRS, title, tags: { 'desk.ref': ref } });
    v1.agreements.set(THEIRS, made);
    v1.pages = [pageOf([made])];
  }
  for (let pass = 0; pass < passes; pass += 1) {
    desk.clock.advance(10 * MINUTE);
    v1.serverTime = desk.clock.now();
    await desk.api['outbox.resume']({ connectionId });
    await desk.api['outbox.run']({});
  }
}

it('a row corrected in a new batch waits for the outcome of the refused row (TE-2.1)', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { first, ref } = await rejectOne(started);
  const again = await putRight(started, first);
  await arm(started, again);
  await desk.api['outbox.run']({});
  const second = await onlyOf(started, again);
  expect(await desk.api['outbox.show']({ ref: second })).toMatchObject({ supersedes: ref });
  expect(desk.services.v1.created).toHaveLength(1);
  await workOn(started, ref, false);
  expect(await desk.api['outbox.show']({ ref: second })).toMatchObject({ state: 'sent' });
});

it('a corrected row still waits for the refused row after its batch was undone (DL-Q2)', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { first, ref } = await rejectOne(started);
  const again = await putRight(started, first);
  await arm(started, again);
  const undone = await desk.api['batches.undo']({ id: again.id });
  await arm(started, undone);
  await desk.api['outbox.run']({});
  const third = await onlyOf(started, undone);
  expect(await desk.api['outbox.show']({ ref: third })).toMatchObject({ supersedes: ref });
  await workOn(started, ref, true);
  const held = { state: 'queued', nextAt: null, reason: { reason: 'replaced-sent' } };
  expect(await desk.api['outbox.show']({ ref: third })).toMatchObject(held);
  expect(desk.services.v1.created).toHaveLength(1);
});

it('a refused row that turns out to be sent makes the corrected row wait for the user’s decision (TE-2.1)', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { first, ref } = await rejectOne(started);
  const again = await putRight(started, first);
  await arm(started, again);
  await workOn(started, ref, true);
  const { id } = again;
  expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'sent', remoteId: THEIRS });
  const second = await onlyOf(started, again);
  const held = { state: 'queued', nextAt: null, reason: { reason: 'replaced-sent' } };
  expect(await desk.api['outbox.show']({ ref: second })).toMatchObject(held);
  expect(await desk.api['batches.progress']({ id })).toMatchObject({ waiting: 1, needsPerson: 1 });
  const asked = await desk.api['outbox.list']({ batchId: id, needsPerson: true });
  expect(asked.map((row) => row.ref)).toEqual([second]);
  // Continuing the batch does not decide about this row.
  await desk.api['batches.pause']({ id });
  await desk.api['batches.resume']({ id });
  await desk.api['outbox.run']({});
  expect(desk.services.v1.created).toHaveLength(1);
  await desk.api['outbox.sendNow']({ ref: second });
  await desk.api['outbox.run']({});
  expect(await desk.api['outbox.show']({ ref: second })).toMatchObject({ state: 'sent' });
});

it('a refused row is excluded if it turns out to be sent before its new batch starts (TE-2.1)', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { first, ref } = await rejectOne(started);
  const again = await putRight(started, first);
  await workOn(started, ref, true);
  expect(await problemsOf(desk, again)).toEqual(['2::sent-changed']);
  const { id } = again;
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 0 });
  await desk.api['batches.reread']({ id, choices: again.choices });
  expect(await problemsOf(desk, again)).toContain('2::sent-before');
});

it('a row corrected after two refusals is excluded once the first turns out to be sent (DL-V15)', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { first, ref } = await rejectOne(started);
  const again = await putRight(started, first);
  await arm(started, again);
  const { v1 } = desk.services;
  v1.answers.push({ kind: 'refused', failure: { code: 'invalid', message: 'still blocked' } });
  await workOn(started, ref, false, 1);
  const second = await onlyOf(started, again);
  expect(await desk.api['outbox.show']({ ref: second })).toMatchObject({ state: 'rejected' });
  const third = await putRight(started, again);
  await workOn(started, ref, true);
  expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'sent' });
  expect(await problemsOf(desk, third)).toEqual(['2::sent-changed']);
});
