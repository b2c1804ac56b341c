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
