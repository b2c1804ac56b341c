import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recoverBatches } from '../../../electron/core/batches/run.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { pageOf } from '../../support/fakes/fake-service.ts';
import { outboxEntry } from '../../adapters/sqlite/samples.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  HEADER,
  leaseV1,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

let started: BatchDesk;
let template: Template;
beforeEach(async () => {
  started = await startBatchDesk();
  template = await addLease(started.desk);
});
afterEach(() => {
  started[Symbol.dispose]();
});

async function send({ id, revision }: Batch, confirm: number): Promise<Job> {
  const { desk } = started;
  const { jobId } = await desk.api['batches.send']({ id, confirm, revision });
  return desk.finish(jobId);
}

/** Runs an action while the given row of a batch is frozen. */
function whileFreezing(row: number, happens: () => void): void {
  const { chance } = started.world;
  const uuid = chance.uuid.bind(chance);
  // The job draws the first random value, and each row draws one more.
  let drawn = -1;
  Object.assign(chance, {
    uuid: () => {
      drawn += 1;
      if (drawn === row) happens();
      return uuid();
    },
  });
}

async function nothingArmed({ id }: Batch): Promise<void> {
  const { desk, temp } = started;
  expect(await desk.api['outbox.batches']({})).toEqual([]);
  expect(await desk.api['batches.show']({ id })).toMatchObject({ stage: 'open' });
  expect(temp.stores.outbox.discardStaged(id)).toBe(0);
  await desk.api['outbox.run']({});
  expect(desk.services.v1.created).toEqual([]);
}

const isChanged = { state: 'failed', failure: { code: 'conflict', reason: 'batch-changed' } };
const edits = [{ row: 2, column: 0, text: 'Eva' }];

describe('a batch cannot be armed', () => {
  it('when its template changed while the second row was being frozen (TE-B03)', async () => {
    const batch = await addBatch(started, template, people(3));
    const { templates } = started.temp.stores;
    const content = { ...leaseV1, merge: 'here' } as const;
    whileFreezing(2, () => void templates.save({ ...templates.get(template.id), content }, null));
    expect(await send(batch, 3)).toMatchObject(isChanged);
    await nothingArmed(batch);
  });

  it('when the data moved to another computer during arming', async () => {
    const batch = await addBatch(started, template, people(2));
    const { stores, externalState } = started.world;
    const write = externalState.write.bind(externalState);
    const lastMove = () => ({ at: 1, fact: { kind: 'moving', folder: '/backups' } });
    Object.assign(externalState, {
      write: async (...given: Parameters<typeof write>) => {
        Object.assign(stores.evidence, { lastMove });
        return write(...given);
      },
    });
    const failure = { code: 'conflict', reason: 'desk-at-rest' };
    expect(await send(batch, 2)).toMatchObject({ state: 'failed', failure });
    expect(await started.desk.api['outbox.batches']({})).toEqual([]);
    expect(await started.desk.api['batches.show']({ id: batch.id })).toMatchObject({
      stage: 'open',
    });
  });

  it('when a cell changed while the rows were being checked (TE-B03)', async () => {
    // More rows than the check handles before it yields to other work.
    const count = 201;
    const batch = await addBatch(started, template, people(count));
    const { checks } = started.world.sheets;
    const check = checks.check.bind(checks);
    Object.assign(checks, {
      check: async (...given: Parameters<typeof check>) => {
        const checked = await check(...given);
        started.temp.stores.batches.edit(batch.id, edits, 1);
        return checked;
      },
    });
    expect(await send(batch, count)).toMatchObject(isChanged);
    await nothingArmed(batch);
  });
});

it('rows of an armed batch are sent immediately, without another event', async () => {
  const { desk, world } = started;
  desk.desk.start();
  expect((await send(await addBatch(started, template, people(2)), 2)).state).toBe('done');
  await expect.poll(() => world.services.v1.created.length).toBe(2);
});

it('a batch in restored data cannot be armed until its service was read (DL-T3)', async () => {
  const { desk, world } = started;
  const batch = await addBatch(started, template, people(2));
  desk.stores.settings.write({ lastRestoredAt: world.clock.now() + 1 });
  world.services.v1.pages = [pageOf([])];
  world.services.v1.beforePage = () => {
    throw new AppError('offline', 'No network');
  };
  await expect(send(batch, 2)).rejects.toMatchObject({ failure: { code: 'offline' } });
  await nothingArmed(batch);
  world.services.v1.beforePage = () => {};
  world.clock.advance(MINUTE);
  expect((await send(batch, 2)).state).toBe('done');
  expect(await desk.api['batches.progress']({ id: batch.id })).toMatchObject({ rows: 2 });
});

it('a cell cannot be changed while its batch is being frozen (TE-B03)', async () => {
  const { desk, temp, world } = started;
  const batch = await addBatch(started, template, people(3));
  whileFreezing(2, () => {
    expect(() => temp.stores.batches.edit(batch.id, edits, 1)).toThrowError('in the outbox');
  });
  expect((await send(batch, 3)).state).toBe('done');
  await desk.api['outbox.run']({});
  expect(world.services.v1.created).toHaveLength(3);
  expect(world.services.v1.created.join(' ')).not.toContain('Eva');
});

it('rows frozen by a failed arming are not sent with the next arming (TE-B04)', async () => {
  const { desk, world } = started;
  const batch = await addBatch(started, template, people(3));
  const { id } = batch;
  const broken: Failure = { code: 'storage', message: 'Not now' };
  world.externalState.breakWith(broken);
  expect(await send(batch, 3)).toMatchObject({ state: 'failed', failure: { code: 'storage' } });
  world.externalState.breakWith(null);
  expect(await desk.api['batches.show']({ id })).toMatchObject({ stage: 'open' });
  expect(await send(batch, 3)).toMatchObject({ state: 'done', result: { armed: 3 } });
  const rows = await desk.api['outbox.list']({ batchId: id });
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([2, 3, 4]);
  expect(await desk.api['batches.progress']({ id })).toMatchObject({ rows: 3, waiting: 3 });
  await desk.api['outbox.run']({});
  expect(world.services.v1.created).toHaveLength(3);
  for (const { ref } of rows) {
    expect(world.services.v1.created.filter((body) => body.includes(ref))).toHaveLength(1);
  }
});

it('rows frozen when the program ended are discarded and not sent with the next arming (TE-B04)', async () => {
  const { desk, world, connectionId } = started;
  const batch = await addBatch(started, template, people(2));
  const { batches, outbox, connections } = world.stores;
  batches.setStage(batch.id, 'open', 'arming', world.clock.now());
  const frozen = outboxEntry(connections.get(connectionId), { rowNo: 2 });
  outbox.stage(batch.id, frozen, world.clock.now());
  recoverBatches(world);
  expect(batches.get(batch.id).stage).toBe('open');
  expect(await send(batch, 2)).toMatchObject({ state: 'done', result: { armed: 2 } });
  const rows = await desk.api['outbox.list']({ batchId: batch.id });
  expect(rows.map(({ ref }) => ref)).not.toContain(frozen.item.ref);
});

it('a valid row is checked again after its last valid day has passed (TE-B08)', async () => {
  const { desk, world } = started;
  const header = `${HEADER};Last day`;
  const rows = people(2).map((row, at) => `${row};${at === 0 ? '2026-11-22' : '2026-12-24'}`);
  const { id, mapping } = await addBatch(started, template, rows, { header });
  if (mapping === null) throw new Error('No mapping');
  const body = { ...mapping.body, expireOn: '{Last day}' };
  const batch = await desk.api['batches.setMapping']({ id, mapping: { ...mapping, body } });
  expect(await problemsOf(desk, batch)).toEqual([]);
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 2, errors: 0 });
  world.clock.advance(2 * DAY);
  expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 1, errors: 1 });
  expect(await problemsOf(desk, batch)).toHaveLength(1);
  const order = { id, confirm: 2, revision: batch.revision };
  await expect(desk.api['batches.send'](order)).rejects.toMatchObject({
    failure: { reason: 'count-differs' },
  });
});
