import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { pageOf } from '../../support/fakes/fake-service.ts';

let started: BatchDesk;
let template: Template;
beforeEach(async () => {
  started = await startBatchDesk();
  started.desk.services.v1.pages = [pageOf([])];
  template = await addLease(started.desk);
});
afterEach(() => {
  started[Symbol.dispose]();
});

const refused = { kind: 'refused', failure: { code: 'invalid', message: 'Bad email' } } as const;
const lost = { kind: 'unknown', failure: { code: 'offline', message: 'No answer' } } as const;

async function send({ id }: Batch, confirm: number): Promise<void> {
  const { desk } = started;
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  await desk.api['outbox.run']({});
}

/** A sent batch whose first row has this result; the user gives up each row without an outcome. */
async function sendWith(result: WriteResult, count: number): Promise<Batch> {
  const { desk } = started;
  desk.services.v1.answers.push(result);
  const batch = await addBatch(started, template, people(count));
  await send(batch, count);
  const open = await desk.api['outbox.list']({ batchId: batch.id, needsPerson: true });
  for (const { ref, state } of open) {
    if (state === 'rejected') continue;
    await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
  }
  return batch;
}

const copy = ({ id }: Batch, name: string) => started.desk.api['batches.refusedRows']({ id, name });
const correct = ({ id }: Batch, text: string, row = 2) =>
  started.desk.api['batches.edit']({ id, edits: [{ row, column: 3, text }] });
const include = ({ id }: Batch, row = 2) =>
  started.desk.api['batches.exclude']({ id, rows: [row], isExcluded: false });
const check = ({ id }: Batch) => started.desk.api['batches.check']({ id });

async function messagesOf({ id }: Batch): Promise<string[]> {
  const about = { id, filter: 'all', offset: 0, limit: 100 } as const;
  const { rows } = await started.desk.api['batches.rows'](about);
  return rows.flatMap(({ problems }) => problems.map(({ message }) => message));
}

describe('a row of a file of which a corrected version was sent', () => {
  it('is excluded from a second copy of the refused rows, which names the send', async () => {
    const batch = await sendWith(refused, 1);
    const first = await copy(batch, 'Correction 1');
    await correct(first, 'first@example.com');
    await send(first, 1);
    const second = await copy(batch, 'Correction 2');
    await correct(second, 'second@example.com');
    expect(await problemsOf(started.desk, second)).toEqual(['2::sent-changed']);
    expect(await messagesOf(second)).toEqual([
      expect.stringMatching(/ was sent on \d{4}-\d\d-\d\d as row 2 of "Correction 1"$/),
    ]);
    expect(await check(second)).toMatchObject({ ready: 0, excluded: 1 });
    await include(second);
    expect(await check(second)).toMatchObject({ ready: 1 });
  });

  it('is excluded from an earlier copy of the rows that were given up', async () => {
    const batch = await sendWith(lost, 1);
    const first = await copy(batch, 'Copy 1');
    const second = await copy(batch, 'Copy 2');
    await correct(first, 'first@example.com');
    await include(first);
    await send(first, 1);
    expect(await problemsOf(started.desk, second)).toEqual(['2::sent-changed']);
    expect(await check(second)).toMatchObject({ ready: 0, excluded: 1 });
  });

  it('is excluded from a copy of a refused copy', async () => {
    const batch = await sendWith(refused, 1);
    const first = await copy(batch, 'Correction 1');
    await correct(first, 'first@example.com');
    started.desk.services.v1.answers.push(refused);
    await send(first, 1);
    const second = await copy(batch, 'Correction 2');
    await correct(second, 'second@example.com');
    await send(second, 1);
    const third = await copy(first, 'Correction 3');
    await correct(third, 'third@example.com');
    expect(await problemsOf(started.desk, third)).toEqual(['2::sent-changed']);
  });

  it('is excluded when the same file is added again for the same template', async () => {
    const batch = await sendWith(lost, 2);
    const first = await copy(batch, 'Copy 1');
    await correct(first, 'first@example.com');
    await include(first);
    await send(first, 1);
    const again = await addBatch(started, template, people(2));
    expect(await problemsOf(started.desk, again)).toEqual(['2::sent-changed', '3::sent-before']);
    const other = await addLease(started.desk, template.content, 'Parking');
    const parking = await addBatch(started, other, people(2));
    expect(await problemsOf(started.desk, parking)).not.toContain('2::sent-changed');
  });
});

const read = ({ id }: Batch, choices: Batch['choices']) =>
  started.desk.api['batches.reread']({ id, choices });

async function numbersOf({ id }: Batch): Promise<number[]> {
  const about = { id, filter: 'all', offset: 0, limit: 100 } as const;
  return (await started.desk.api['batches.rows'](about)).rows.map(({ row }) => row);
}

describe('reading the file of a corrected batch again', () => {
  it('keeps the rows of the batch, and the answers of the service about them', async () => {
    const { desk } = started;
    desk.services.v1.answers.push(refused);
    const batch = await addBatch(started, template, people(3));
    await correct(batch, 'edited@example.com', 3);
    await send(batch, 3);
    const first = await copy(batch, 'Correction 1');
    const again = await read(first, { encoding: 'utf-8' });
    expect(await numbersOf(again)).toEqual([2]);
    expect(again.sheet.rows).toBe(1);
    expect(await problemsOf(desk, again)).toEqual(['2::refused']);
  });

  it('keeps the rows of a batch that was stopped and moved', async () => {
    const { desk } = started;
    const batch = await addBatch(started, template, people(3));
    await desk.api['batches.exclude']({ id: batch.id, rows: [3], isExcluded: true });
    const { revision } = await desk.api['batches.show']({ id: batch.id });
    const order = { id: batch.id, confirm: 2, revision, holdSeconds: 30 };
    await desk.finish((await desk.api['batches.send'](order)).jobId);
    const undone = await desk.api['batches.undo']({ id: batch.id });
    expect(await numbersOf(await read(undone, { encoding: 'utf-8' }))).toEqual([2, 4]);
  });

  it('is refused if the file then has other rows', async () => {
    const first = await copy(await sendWith(refused, 2), 'Correction 1');
    await expect(read(first, { headerRow: 2 })).rejects.toMatchObject({
      failure: { reason: 'sheet-other-rows' },
    });
    expect(await numbersOf(first)).toEqual([2]);
  });

  it('counts corrections from the first batch as edits that will be lost', async () => {
    const { desk } = started;
    desk.services.v1.answers.push(refused);
    const batch = await addBatch(started, template, people(1));
    await correct(batch, 'edited@example.com');
    await send(batch, 1);
    const { id } = await copy(batch, 'Correction 1');
    expect(await desk.api['batches.byHand']({ id })).toEqual({ rows: 1 });
  });
});

it('a row that was corrected and sent is recognised when its file is added again', async () => {
  const batch = await addBatch(started, template, people(1));
  await correct(batch, 'edited@example.com');
  await send(batch, 1);
  const again = await addBatch(started, template, people(1));
  expect(await problemsOf(started.desk, again)).toEqual(['2::sent-changed']);
});
