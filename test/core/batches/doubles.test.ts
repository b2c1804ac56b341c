import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection } from '../../support/fakes/memory-desk.ts';
import { textCell, workbook } from '../../adapters/sheets/workbook.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  HEADER,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

let started: BatchDesk;
let template: Template;
beforeEach(async () => {
  started = await startBatchDesk();
  template = await addLease(started.desk);
});
afterEach(() => {
  started[Symbol.dispose]();
});

async function sendAll({ desk }: BatchDesk, { id, revision }: Batch, confirm: number) {
  const { jobId } = await desk.api['batches.send']({ id, confirm, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  await desk.api['outbox.run']({});
}

/** The same rows saved by another program: a workbook with reordered columns. */
async function addCopy(rows: readonly string[]): Promise<Batch> {
  const { desk, connectionId } = started;
  const lines = [HEADER, ...rows].map((row) => row.split(';').toReversed().map(textCell).join(''));
  const sheet = lines.map((cells, at) => `<row r="${String(at + 1)}">${cells}</row>`).join('');
  const about = { name: 'Copy', fileName: 'leases (1).xlsx', choices: {} };
  const bytes = desk.bytes.put(workbook({ sheets: { Blad1: sheet } }));
  return desk.api['batches.create']({ ...about, bytes, connectionId, templateId: template.id });
}

describe('batch rows that were sent before', () => {
  it('are recognised in a copy of the file in another format', async () => {
    const rows = people(3);
    await sendAll(started, await addBatch(started, template, rows.slice(0, 2)), 2);
    const copy = await addCopy(rows);
    expect(await problemsOf(started.desk, copy)).toEqual(['2::sent-before', '3::sent-before']);
  });

  it('count as new rows after one word changes', async () => {
    const rows = people(1);
    await sendAll(started, await addBatch(started, template, rows), 1);
    const rent = rows.map((row) => row.replace('9000', '9500'));
    expect(await problemsOf(started.desk, await addBatch(started, template, rent))).toEqual([]);
  });

  it('are recognised by their mark on the service when another computer sent them', async () => {
    const rows = people(2);
    const mine = await addBatch(started, template, rows);
    await sendAll(started, mine, 2);
    const [key = ''] = await keysOf(started, mine);
    // Another computer knows these rows only from the service's list.
    using other = await startBatchDesk();
    const { stores, clock } = other.world;
    const tags = { 'desk.key': key, 'desk.ref': 'another' };
    const received = remoteOf({ id: '004711000001', tags });
    stores.agreements.put(other.connectionId, 'v1', [received], clock.now());
    const batch = await addBatch(other, await addLease(other.desk), rows);
    expect(await problemsOf(other.desk, batch)).toEqual(['2::on-service']);
    expect(await other.desk.api['batches.check']({ id: batch.id })).toMatchObject({ ready: 1 });
  });

  it('are recognised when another connection to the service shows them (DL-P9)', async () => {
    const rows = people(2);
    const mine = await addBatch(started, template, rows);
    await sendAll(started, mine, 2);
    const [key = ''] = await keysOf(started, mine);
    using other = await startBatchDesk();
    const { stores, clock } = other.world;
    const { id } = await addConnection(other.desk, 'v1', 'Second');
    const tags = { 'desk.key': key, 'desk.ref': 'another' };
    stores.agreements.put(id, 'v1', [remoteOf({ id: '004711000001', tags })], clock.now());
    const batch = await addBatch(other, await addLease(other.desk), rows);
    expect(await problemsOf(other.desk, batch)).toEqual(['2::on-service']);
  });
});

/** Returns the values of `desk.key` in the requests of a batch, in spreadsheet order. */
async function keysOf({ desk, world }: BatchDesk, { id: batchId }: Batch): Promise<string[]> {
  const items = await desk.api['outbox.list']({ batchId });
  return items.map(({ ref }) => {
    const body = new TextDecoder().decode(world.stores.outbox.request(ref).body);
    return /desk\.key\W+([0-9a-f]{32})/.exec(body)?.[1] ?? '';
  });
}
