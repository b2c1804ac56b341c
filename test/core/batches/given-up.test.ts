import { expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import { AgreementId, type OutboxRef } from '../../../shared/model/ids.ts';
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

const FOUND = AgreementId.parse('found');

async function send({ desk }: BatchDesk, { id }: Batch, count: number): Promise<OutboxRef[]> {
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm: count, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  await desk.api['outbox.run']({});
  return (await desk.api['outbox.list']({ batchId: id })).map(({ ref }) => ref);
}

/** A batch whose first row got no answer. The user records each row without an outcome as not sent. */
async function giveUpFirst(started: BatchDesk, count: number) {
  const { desk } = started;
  const { v1 } = desk.services;
  v1.pages = [pageOf([])];
  v1.answers.push({ kind: 'unknown', failure: { code: 'offline', message: 'No answer' } });
  const batch = await addBatch(started, await addLease(desk), people(count));
  await send(started, batch, count);
  const rows = await desk.api['outbox.list']({ batchId: batch.id, needsPerson: true });
  expect(rows.map(({ state }) => state)).toEqual(['unknown']);
  const [lost] = rows;
  if (lost === undefined) throw new Error('No row has an unknown outcome');
  await desk.api['outbox.settle']({ ref: lost.ref, decision: { as: 'abandon' } });
  return { batch, lost };
}

const progressIn = ({ desk }: BatchDesk, { id }: Batch) => desk.api['batches.progress']({ id });

it('a batch counts a row that the user recorded as not sent as given up, which needs no decision', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { batch } = await giveUpFirst(started, 2);
  const numbers = { sent: 1, unknown: 0, givenUp: 1, waiting: 0, needsPerson: 0 };
  expect(await progressIn(started, batch)).toMatchObject(numbers);
  const [listed] = await desk.api['batches.list']({});
  expect(listed?.going).toEqual({ gate: 'open', waiting: 0, needsPerson: 0, givenUp: 1 });
});

it('a row that was given up is excluded from its new batch until the user includes it', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { batch, lost } = await giveUpFirst(started, 2);
  const again = await desk.api['batches.refusedRows']({ id: batch.id });
  const row = lost.rowNo ?? 0;
  expect(await problemsOf(desk, again)).toEqual([`${String(row)}::given-up`]);
  const { id } = again;
  expect(await desk.api['batches.check']({ id })).toMatchObject({ rows: 1, ready: 0, excluded: 1 });
  // A corrected cell is not a decision to send the row again.
  await desk.api['batches.edit']({ id, edits: [{ row, column: 3, text: 'new@example.com' }] });
  expect(await problemsOf(desk, again)).toEqual([`${String(row)}::given-up`]);
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 0 });
  await desk.api['batches.exclude']({ id, rows: [row], isExcluded: false });
  const [second] = await send(started, again, 1);
  expect(second && (await desk.api['outbox.show']({ ref: second }))).toMatchObject({
    state: 'sent',
    supersedes: lost.ref,
  });
});

it('a row that was given up and then found on the service counts as sent, and is reported so in its new batch', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { batch, lost } = await giveUpFirst(started, 1);
  const again = await desk.api['batches.refusedRows']({ id: batch.id });
  const { v1 } = desk.services;
  const made = remoteOf({ id: FOUND, title: lost.title, tags: { 'desk.ref': lost.ref } });
  v1.agreements.set(FOUND, made);
  v1.pages = [pageOf([made])];
  desk.clock.advance(10 * MINUTE);
  v1.serverTime = desk.clock.now();
  const { jobId } = await desk.api['agreements.sync']({});
  await desk.finish(jobId);
  expect(await progressIn(started, batch)).toMatchObject({ sent: 1, givenUp: 0, unknown: 0 });
  expect(await problemsOf(desk, again)).toEqual([`${String(lost.rowNo)}::sent-before`]);
});

it.each([
  ['sent', { as: 'sent', remoteId: FOUND }, { sent: 1, unknown: 0, givenUp: 0, needsPerson: 0 }],
  ['given up', { as: 'abandon' }, { sent: 0, unknown: 0, givenUp: 1, needsPerson: 0 }],
] as const)(
  'a batch counts a row that the user recorded as %s so',
  async (_, decision, numbers) => {
    using started = await startBatchDesk();
    const { desk } = started;
    const { v1 } = desk.services;
    v1.pages = [pageOf([])];
    v1.answers.push({ kind: 'unknown', failure: { code: 'offline', message: 'No answer' } });
    const batch = await addBatch(started, await addLease(desk), people(1));
    const [ref] = await send(started, batch, 1);
    if (ref === undefined) throw new Error('The batch has no row');
    const { title } = await desk.api['outbox.show']({ ref });
    v1.agreements.set(FOUND, remoteOf({ id: FOUND, title }));
    expect(await progressIn(started, batch)).toMatchObject({ unknown: 1, needsPerson: 1 });
    await desk.api['outbox.settle']({ ref, decision });
    expect(await progressIn(started, batch)).toMatchObject(numbers);
  },
);

/** Makes the service show the agreement of a row that was given up, and reads its list. */
async function findOnService({ desk }: BatchDesk, lost: { ref: OutboxRef; title: string }) {
  const { v1 } = desk.services;
  const made = remoteOf({ id: FOUND, title: lost.title, tags: { 'desk.ref': lost.ref } });
  v1.agreements.set(FOUND, made);
  v1.pages = [pageOf([made])];
  desk.clock.advance(10 * MINUTE);
  v1.serverTime = desk.clock.now();
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}

it('a row that was included after it was given up is excluded again once the service shows its agreement', async () => {
  using started = await startBatchDesk();
  const { desk } = started;
  const { batch, lost } = await giveUpFirst(started, 1);
  const { id, sheet } = await desk.api['batches.refusedRows']({ id: batch.id });
  const row = lost.rowNo ?? 0;
  await desk.api['batches.exclude']({ id, rows: [row], isExcluded: false });
  const edits = [{ row, column: 3, text: 'new@example.com' }];
  await desk.api['batches.edit']({ id, edits });
  const reviewed = await desk.api['batches.show']({ id });
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 1 });
  await findOnService(started, lost);
  const { revision } = reviewed;
  await expect(desk.api['batches.send']({ id, confirm: 1, revision })).rejects.toMatchObject({
    failure: { reason: 'count-differs' },
  });
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 0, excluded: 1 });
  expect(await problemsOf(desk, { ...reviewed, sheet })).toEqual([`${String(row)}::sent-changed`]);
  await desk.api['batches.exclude']({ id, rows: [row], isExcluded: false });
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 1, excluded: 0 });
});
