import { beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;
let sendAt: number;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  sendAt = world.clock.now() + 3 * DAY;
});

async function schedule(at = sendAt): Promise<{ id: DraftId; ref: OutboxRef }> {
  const { id } = await addDraftV1(desk, 'Lease');
  const order = { id, connectionId, holdSeconds: 10, confirm: 1, sendAt: at };
  return { id, ref: (await desk.api['drafts.send'](order)).ref };
}

/** Starts another process with the same data, which takes over the lock. */
function restart(): MemoryDesk {
  const { locks } = createWorld();
  return startMemoryDesk({ ...world, locks });
}

const created = () => world.services.v1.created;

describe('a draft with a chosen sending time', () => {
  it('waits for its time through a restart, and is sent once', async () => {
    const { ref } = await schedule();
    await desk.api['outbox.run']({});
    const waiting = { state: 'queued', isScheduled: true, nextAt: sendAt };
    expect(await desk.api['outbox.show']({ ref })).toMatchObject(waiting);
    world.clock.advance(2 * DAY);
    const next = restart();
    await next.api['outbox.run']({});
    expect(await next.api['outbox.show']({ ref })).toMatchObject(waiting);
    expect(created()).toEqual([]);
    world.clock.advance(DAY);
    await next.api['outbox.run']({});
    await next.api['outbox.run']({});
    expect(await next.api['outbox.show']({ ref })).toMatchObject({ state: 'sent' });
    expect(created()).toHaveLength(1);
  });

  it.each([
    { late: 20 * MINUTE, goes: true },
    { late: 20 * MINUTE + 1, goes: false },
  ])(
    'is sent without a question if the program starts $late ms after its time: $goes (TX-13)',
    async (given) => {
      const { ref } = await schedule();
      world.clock.advance(sendAt - world.clock.now() + given.late);
      const next = restart();
      await next.api['outbox.run']({});
      const item = await next.api['outbox.show']({ ref });
      expect(item.state).toBe(given.goes ? 'sent' : 'queued');
      if (!given.goes) {
        expect(item).toMatchObject({ nextAt: null, reason: { reason: 'time-missed' } });
      }
      expect(created()).toHaveLength(given.goes ? 1 : 0);
    },
  );

  it('leads to a question when the computer slept past its time, and is sent when a person decides so (TX-13)', async () => {
    desk.desk.start();
    const { ref } = await schedule();
    world.clock.leap(3 * DAY + 21 * MINUTE);
    await desk.api['outbox.run']({});
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({
      state: 'queued',
      nextAt: null,
      reason: { reason: 'time-missed' },
    });
    expect(created()).toEqual([]);
    await desk.api['outbox.sendNow']({ ref });
    await desk.api['outbox.run']({});
    expect(created()).toHaveLength(1);
    await desk.desk.stop();
  });

  it('is sent without a question when the computer slept past its time for a few minutes', async () => {
    desk.desk.start();
    const { ref } = await schedule();
    world.clock.leap(3 * DAY + 19 * MINUTE);
    await desk.api['outbox.run']({});
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'sent' });
    expect(created()).toHaveLength(1);
    await desk.desk.stop();
  });

  it('can be returned to drafts until its time, and edited again', async () => {
    const { id, ref } = await schedule();
    expect((await desk.api['drafts.show']({ id })).sending).toBe(ref);
    await desk.api['outbox.undo']({ ref });
    expect((await desk.api['drafts.show']({ id })).sending).toBeNull();
    world.clock.advance(4 * DAY);
    await desk.api['outbox.run']({});
    expect(created()).toEqual([]);
  });

  it.each([
    { why: 'not in the future', after: 0 },
    { why: 'more than a year away', after: 366 * DAY + 1 },
    { why: 'after the end of signing', after: 31 * DAY },
  ])('is refused at its field when the time is $why', async ({ after }) => {
    const { id, revision, content } = await addDraftV1(desk, 'Lease');
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const expireOn = formatV1Time(world.clock.now() + 30 * DAY);
    const body = { ...content.body, expireOn };
    await desk.api['drafts.save']({
      id,
      revision,
      connectionId: null,
      content: { api: 'v1', body },
    });
    const at = world.clock.now() + after;
    const order = { id, connectionId, holdSeconds: 0, confirm: 1, sendAt: at };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { sendAt: expect.any(String) } },
    });
    expect(await desk.api['outbox.list']({})).toEqual([]);
    expect((await desk.api['drafts.show']({ id })).sending).toBeNull();
  });
});

it('a batch whose time passed while the computer slept leads to a question, however short the sleep (TX-13)', async () => {
  using started = await startBatchDesk();
  const { desk: office, world: its } = started;
  const { id } = await addBatch(started, await addLease(office), people(2));
  const startAt = its.clock.now() + 60 * MINUTE;
  const times = { startAt, hours: null, perHour: null };
  const { revision } = await office.api['batches.setSchedule']({
    id,
    schedule: times,
    policy: 'ask',
  });
  office.desk.start();
  const { jobId } = await office.api['batches.send']({ id, confirm: 2, revision });
  await office.finish(jobId);
  its.clock.leap(90 * MINUTE);
  await office.api['outbox.run']({});
  expect(await office.api['batches.progress']({ id })).toMatchObject({
    gate: 'asks',
    sent: 0,
    reason: { reason: 'time-missed' },
  });
  expect(its.services.v1.created).toEqual([]);
  await office.desk.stop();
});
