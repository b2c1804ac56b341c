import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  leaseV1,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let started: BatchDesk;
let template: Template;
let batch: Batch;
const rows = people(3);

beforeEach(async () => {
  started = await startBatchDesk();
  template = await addLease(started.desk);
  batch = await addBatch(started, template, rows);
  expect(await problemsOf(started.desk, batch)).toEqual([]);
});
afterEach(() => {
  started[Symbol.dispose]();
});

const found = () => problemsOf(started.desk, batch);
const checkOf = (of = batch) => started.desk.api['batches.check']({ id: of.id });

async function send({ desk }: Pick<BatchDesk, 'desk'>, { id, revision }: Batch, confirm: number) {
  const { jobId } = await desk.api['batches.send']({ id, confirm, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
}

describe('a saved check of the rows is no longer used after', () => {
  it('a process changed a cell', async () => {
    const { batches } = started.world.stores;
    batches.edit(batch.id, [{ row: 3, column: 3, text: 'no address' }], 1);
    expect(await found()).toEqual(['3:E-post:format']);
  });

  it('the exclusion of a row', async () => {
    started.world.stores.batches.choose(batch.id, [3], true, 1);
    expect(await checkOf()).toMatchObject({ ready: 2, excluded: 1 });
  });

  it('a failed merge of a row', async () => {
    started.world.stores.batches.setFailure(batch.id, 4, 'A letter is missing');
    expect(await found()).toEqual(['4::refused']);
  });

  it('the file was read again, so that all rows are new', async () => {
    const { batches } = started.world.stores;
    batches.edit(batch.id, [{ row: 3, column: 3, text: 'no address' }], 1);
    expect(await found()).toEqual(['3:E-post:format']);
    await started.desk.api['batches.reread']({ id: batch.id, choices: {} });
    expect(await found()).toEqual([]);
  });

  it('more cells were changed than are tracked individually', async () => {
    const { batches } = started.world.stores;
    const edits = Array.from({ length: 2000 }, (_, at) => ({
      row: 3,
      column: 3,
      text: `no address ${String(at)}`,
    }));
    batches.edit(batch.id, edits, 1);
    expect(await found()).toEqual(['3:E-post:format']);
    batches.edit(batch.id, [{ row: 4, column: 3, text: 'no address' }], 1);
    expect(await found()).toEqual(['3:E-post:format', '4:E-post:format']);
  });

  it('a change of a cell by another program', async () => {
    const { file, key } = started.temp;
    const other = openDatabase({ file, key, now: 1 });
    const { batches } = createStores(other);
    batches.edit(batch.id, [{ row: 3, column: 3, text: 'no address' }], 1);
    other.close();
    expect(await found()).toEqual(['3:E-post:format']);
  });

  it('a change of the column mapping', async () => {
    const { api } = started.desk;
    const matches = batch.matches.map((one) =>
      one.placeholder === 'Monthly rent' ? { ...one, column: null } : one,
    );
    await api['batches.setMatches']({ id: batch.id, matches });
    expect((await checkOf()).missingColumns).toEqual(['Monthly rent']);
  });

  it('a change of the template that requires another field', async () => {
    const { api } = started.desk;
    const body = { ...leaseV1.body, expireDays: null } as typeof leaseV1.body;
    const { id, revision, name } = template;
    await api['templates.save']({ id, revision, name, content: { ...leaseV1, body } });
    const before = started.world.stores.batches.get(batch.id);
    await api['batches.setTemplate']({ id: batch.id, templateId: id });
    expect(started.world.stores.batches.get(batch.id).mapping).not.toEqual(before.mapping);
    expect(await found()).not.toEqual([]);
  });

  it('the end of the day', async () => {
    const { desk } = started;
    const mapping = { ...batch.mapping, api: 'v1' as const };
    const body = { ...batch.mapping?.body, expireOn: '20261231T120000Z' };
    const fields = batch.mapping?.fields ?? {};
    await desk.api['batches.setMapping']({ id: batch.id, mapping: { ...mapping, body, fields } });
    expect((await checkOf()).ready).toBe(3);
    desk.clock.advance(400 * DAY);
    expect((await checkOf()).ready).toBe(0);
  });

  it('the same rows were armed in another batch', async () => {
    const other = await addBatch(started, template, rows.slice(0, 1));
    expect(await found()).toEqual([]);
    await send(started, other, 1);
    expect(await found()).toEqual(['2::sent-before']);
  });

  it('the service refused a row that was armed before', async () => {
    const { desk, world } = started;
    const other = await addBatch(started, template, rows.slice(0, 1));
    await send(started, other, 1);
    expect(await found()).toEqual(['2::sent-before']);
    const [item] = world.stores.outbox.inBatch(other.id);
    if (item === undefined) throw new Error('Nothing is in the outbox');
    await desk.api['batches.stop']({ id: other.id });
    expect(world.stores.outbox.get(item.ref).state).toBe('cancelled');
    expect(await found()).toEqual([]);
  });

  it('a scan found that another computer sent a row', async () => {
    const other = await addBatch(started, template, rows.slice(0, 1));
    await send(started, other, 1);
    const key = keyOf(started, other);
    using elsewhere = await startBatchDesk();
    const { stores, clock } = elsewhere.world;
    const copy = await addBatch(elsewhere, await addLease(elsewhere.desk), rows);
    expect(await problemsOf(elsewhere.desk, copy)).toEqual([]);
    const tags = { 'desk.key': key, 'desk.ref': 'another' };
    const put = (title: string, marks: Record<string, string>) => {
      const received = remoteOf({ id: '004711000001', title, tags: marks });
      stores.agreements.put(elsewhere.connectionId, 'v1', [received], clock.now());
    };
    put('Unmarked', {});
    expect(await problemsOf(elsewhere.desk, copy)).toEqual([]);
    put('Marked', tags);
    expect(await problemsOf(elsewhere.desk, copy)).toEqual(['2::on-service']);
    const { id: second } = await addConnection(elsewhere.desk, 'v2');
    await elsewhere.desk.api['batches.setConnection']({ id: copy.id, connectionId: second });
    expect(await problemsOf(elsewhere.desk, copy)).toEqual([]);
  });
});

/** Returns the value of `desk.key` in the request of the first row of a sent batch. */
function keyOf({ world }: BatchDesk, { id }: Batch): string {
  const [item] = world.stores.outbox.inBatch(id);
  if (item === undefined) throw new Error('Nothing is in the outbox');
  const body = new TextDecoder().decode(world.stores.outbox.request(item.ref).body);
  return /desk\.key\W+([0-9a-f]{32})/.exec(body)?.[1] ?? '';
}

/** Starts the program on the same data, with a store that records queries and can hide writes. */
function watchedDesk() {
  const { world } = started;
  const { batches } = world.stores;
  const state = { looked: 0, read: 0, isBlind: false };
  const desk: MemoryDesk = startMemoryDesk({
    ...world,
    stores: {
      ...world.stores,
      batches: {
        ...batches,
        sentBefore: (hashes, except) => {
          state.looked += hashes.length;
          return batches.sentBefore(hashes, except);
        },
        rowsSince: (id, mark) => {
          if (state.isBlind && mark !== null) return { rows: [], isAll: false, mark };
          const since = batches.rowsSince(id, mark);
          state.read += since.rows.length;
          return since;
        },
      },
    },
  });
  const take = () => {
    const { looked, read } = state;
    Object.assign(state, { looked: 0, read: 0 });
    return { looked, read };
  };
  return { desk, state, take };
}

describe('a saved check of the rows', () => {
  it('is repeated only for the row that changed', async () => {
    const { desk, take } = watchedDesk();
    const { id } = batch;
    await desk.api['batches.check']({ id });
    expect(take()).toEqual({ looked: 3, read: 3 });
    await desk.api['batches.rows']({ id, filter: 'ready', offset: 0, limit: 2 });
    await desk.api['batches.nextError']({ id, after: { row: 1, column: 0 } });
    expect(take()).toEqual({ looked: 0, read: 0 });
    await desk.api['batches.edit']({ id, edits: [{ row: 3, column: 4, text: '8000' }] });
    expect(take()).toEqual({ looked: 1, read: 1 });
    await desk.api['batches.exclude']({ id, rows: [4], isExcluded: true });
    expect(take()).toEqual({ looked: 0, read: 1 });
  });

  it('names exactly the rows that an edit changed', async () => {
    const { desk } = started;
    const { id } = batch;
    const [first = ''] = rows;
    const edits = first.split(';').map((text, column) => ({ row: 3, column, text }));
    const same = await desk.api['batches.edit']({ id, edits });
    expect(same.rows.map(({ row }) => row)).toEqual([3]);
    const again = await desk.api['batches.edit']({
      id,
      edits: [{ row: 2, column: 4, text: '1' }],
    });
    // Row 3 was equal to row 2, and now only has the same person.
    expect(again.rows.map(({ row }) => row)).toEqual([2, 3]);
    const left = await desk.api['batches.exclude']({ id, rows: [4], isExcluded: true });
    expect(left.rows).toMatchObject([{ row: 4, isExcluded: true }]);
    expect(left.check).toMatchObject({ excluded: 1 });
  });

  it('is never used for sending: every row is checked again before it is sent', async () => {
    const { desk, state } = watchedDesk();
    const { id } = batch;
    await desk.api['batches.check']({ id });
    state.isBlind = true;
    started.world.stores.batches.edit(id, [{ row: 3, column: 3, text: 'no address' }], 1);
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 3 });
    const { revision } = await desk.api['batches.show']({ id });
    const sent = desk.api['batches.send']({ id, confirm: 3, revision });
    await expect(sent).rejects.toMatchObject({ failure: { reason: 'count-differs' } });
    await send({ desk }, { ...batch, revision }, 2);
    expect(started.world.stores.outbox.inBatch(id).map(({ rowNo }) => rowNo)).toEqual([2, 4]);
  });
});
