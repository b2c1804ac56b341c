import { beforeEach, describe, expect, it } from 'vitest';
import { shortenWaits } from '../../../electron/core/outbox/waits.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { BatchId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const MISSED = { reason: { reason: 'time-missed' } } as const;
const offline: Failure = { code: 'offline', message: 'No network', reason: 'connection-lost' };

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;
let chosen: number;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  chosen = world.clock.now() + HOUR;
});

const created = () => world.services.v1.created.length;
const show = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const limitedFor = (milliseconds: number): WriteResult => ({
  kind: 'turned-away',
  failure: { code: 'limited', message: 'Too many', retryAt: world.clock.now() + milliseconds },
});

async function send(sendAt?: number, title = 'Lease'): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  const when = sendAt === undefined ? {} : { sendAt };
  const order = { id, connectionId, holdSeconds: 0, confirm: 1, ...when };
  return (await desk.api['drafts.send'](order)).ref;
}

/** Runs the outbox each minute until that time, as a window does. */
async function passUntil(at: number): Promise<void> {
  while (world.clock.now() < at) {
    world.clock.advance(Math.min(MINUTE, at - world.clock.now()));
    await desk.api['outbox.run']({});
  }
}

/** Starts another process with the same data. */
function restart(): void {
  const { locks } = createWorld();
  desk = startMemoryDesk({ ...world, locks });
}

describe('a send that was blocked at its chosen time', () => {
  it('waits for a person after the service delayed it for hours (DL-P6)', async () => {
    const ref = await send(chosen);
    await passUntil(chosen - 1);
    world.services.v1.answers.push(limitedFor(3 * HOUR));
    await passUntil(chosen + 3 * HOUR + 15 * MINUTE);
    expect(created()).toBe(1);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: null, ...MISSED });
    expect(await show(ref)).toMatchObject({ chosenAt: chosen });
  });

  it('is sent after the service delayed it for a few minutes (DL-P6)', async () => {
    await send(undefined, 'Seen by every scan');
    await desk.api['outbox.run']({});
    const ref = await send(chosen);
    await passUntil(chosen - 1);
    world.services.v1.answers.push(limitedFor(5 * MINUTE));
    await passUntil(chosen + 19 * MINUTE);
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('waits for a person after hours without a network, however often it was tried (DL-P6)', async () => {
    const ref = await send(chosen);
    await passUntil(chosen - 1);
    const { answers } = world.services.v1;
    for (let tries = 0; tries < 20; tries += 1)
      answers.push({ kind: 'not-sent', failure: offline });
    await passUntil(chosen + 2 * HOUR);
    answers.length = 0;
    await passUntil(chosen + 3 * HOUR);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: null, ...MISSED });
  });

  it.each([
    { late: 20 * MINUTE, goes: true },
    { late: 20 * MINUTE + 1, goes: false },
  ])(
    'and is $late ms late when its connection is resumed is sent: $goes (DL-P6)',
    async (given) => {
      const ref = await send(chosen);
      await desk.api['outbox.pause']({ connectionId });
      await passUntil(chosen + given.late);
      await desk.api['outbox.resume']({ connectionId });
      await desk.api['outbox.run']({});
      const item = await show(ref);
      expect(item.state).toBe(given.goes ? 'sent' : 'queued');
      if (!given.goes) expect(item).toMatchObject({ nextAt: null, ...MISSED });
    },
  );

  it('waits for a person if the rejected API key is replaced hours later (DL-P6)', async () => {
    const ref = await send(chosen);
    const missing: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };
    world.stores.outbox.closeGate({
      connectionId,
      kind: 'auth',
      until: null,
      reason: missing,
      since: world.clock.now(),
    });
    await passUntil(chosen + 5 * HOUR);
    await desk.api['connections.replaceSecret']({ id: connectionId, secret: 'another' });
    await desk.api['outbox.run']({});
    expect(created()).toBe(0);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: null, ...MISSED });
  });

  it('waits for a person in the run of another process before its later time (DL-P6)', async () => {
    const ref = await send(chosen);
    await passUntil(chosen - 1);
    world.services.v1.answers.push({ kind: 'not-sent', failure: offline });
    await passUntil(chosen);
    const { nextAt } = await show(ref);
    expect(nextAt).toBeGreaterThan(chosen);
    world.clock.sleep(21 * MINUTE);
    restart();
    await desk.api['outbox.run']({});
    expect(created()).toBe(1);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: null, ...MISSED });
  });

  it('is sent once a person decides so, without another question (DL-P6)', async () => {
    const ref = await send(chosen);
    await desk.api['outbox.pause']({ connectionId });
    await passUntil(chosen + HOUR);
    await desk.api['outbox.resume']({ connectionId });
    await desk.api['outbox.run']({});
    world.services.v1.answers.push({ kind: 'not-sent', failure: offline });
    await desk.api['outbox.sendNow']({ ref });
    await desk.api['outbox.run']({});
    expect(await show(ref)).toMatchObject({ state: 'queued', chosenAt: null });
    await passUntil(chosen + 3 * HOUR);
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('waits for a person if its connection is resumed hours later, also behind other sends (DL-P6)', async () => {
    await desk.api['outbox.pause']({ connectionId });
    for (let others = 0; others < 6; others += 1) await send(undefined, `At once ${others}`);
    const ref = await send(chosen);
    await passUntil(chosen + 3 * HOUR);
    await desk.api['outbox.resume']({ connectionId });
    await passUntil(chosen + 3 * HOUR + 5 * MINUTE);
    expect(created()).toBe(6);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: null, ...MISSED });
  });

  it('is the only kind that waits for a person; other sends are sent when possible', async () => {
    await desk.api['outbox.pause']({ connectionId });
    const ref = await send();
    await passUntil(chosen + 5 * HOUR);
    await desk.api['outbox.resume']({ connectionId });
    await desk.api['outbox.run']({});
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });
});

describe('a batch with a chosen time', () => {
  async function schedule(
    started: Awaited<ReturnType<typeof startBatchDesk>>,
    count: number,
  ): Promise<{ id: BatchId; startAt: number }> {
    const { desk: office, world: its } = started;
    const { id } = await addBatch(started, await addLease(office), people(count));
    const startAt = its.clock.now() + HOUR;
    const times = { startAt, hours: null, perHour: null };
    const order = { id, schedule: times, policy: 'ask' } as const;
    const { revision } = await office.api['batches.setSchedule'](order);
    const { jobId } = await office.api['batches.send']({ id, confirm: count, revision });
    await office.finish(jobId);
    return { id, startAt };
  }

  it('that was partly sent waits hours later for one decision on its other rows (DL-P6)', async () => {
    using started = await startBatchDesk();
    const { desk: office, world: its } = started;
    const { id, startAt } = await schedule(started, 12);
    const { v1 } = its.services;
    const failed: WriteResult = { kind: 'not-sent', failure: offline };
    const answer = v1.create.bind(v1);
    let made = 0;
    let isOut = false;
    v1.create = (...args) => {
      if (isOut) return Promise.resolve(failed);
      made += 1;
      isOut = made === 5;
      return answer(...args);
    };
    its.clock.sleep(startAt - its.clock.now());
    await office.api['outbox.run']({});
    expect(v1.created).toHaveLength(5);
    for (let minutes = 0; minutes < 180; minutes += 1) {
      its.clock.sleep(MINUTE);
      if (minutes === 170) isOut = false;
      await office.api['outbox.run']({});
    }
    const asked = { gate: 'asks', sent: 5, waiting: 7, ...MISSED };
    expect(await office.api['batches.progress']({ id })).toMatchObject(asked);

    await office.api['batches.resume']({ id });
    await office.api['outbox.run']({});
    expect(await office.api['batches.progress']({ id })).toMatchObject({ sent: 12, waiting: 0 });
  });

  it('is sent without a question, even if its size delays its last rows by an hour (DL-P6)', async () => {
    using started = await startBatchDesk();
    const { desk: office, world: its } = started;
    const { id, startAt } = await schedule(started, 12);
    const { v1 } = its.services;
    const answer = v1.create.bind(v1);
    v1.create = async (...args) => {
      its.clock.sleep(10 * MINUTE);
      return answer(...args);
    };
    its.clock.sleep(startAt - its.clock.now());
    await office.api['outbox.run']({});
    expect(await office.api['batches.progress']({ id })).toMatchObject({ sent: 12, waiting: 0 });
  });
});

describe('a send before its chosen time, by a clock that is hours ahead', () => {
  it('waits while another send of a person is refused because of the clock (DL-P5)', async () => {
    const ref = await send(chosen);
    const other = await send(undefined, 'Another');
    const { gates } = startOutboxWork(world);
    gates.noteServerTime(connectionId, world.clock.now() - 2 * HOUR);
    await expect(desk.api['outbox.sendNow']({ ref: other })).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'service-clock-differs' },
    });
    const kinds = (await desk.api['outbox.gates']({})).map(({ kind }) => kind);
    expect(kinds).toEqual(['clock']);
    expect(await show(ref)).toMatchObject({ state: 'queued', chosenAt: chosen });
  });
});

describe('a clock that was set back', () => {
  it('shortens the retry delay of a send after its chosen time, and keeps the chosen time (DL-P6)', () => {
    const { stores, clock } = world;
    const { transitions, gates } = startOutboxWork(world);
    const now = clock.now();
    const [moved, near] = [1, 2].map(() =>
      insertRow(world, connectionId, { nextAt: now, isScheduled: true }),
    );
    if (moved === undefined || near === undefined) throw new Error('They are not there');
    transitions.postpone(moved, now + 3 * HOUR, { cause: 'answer' });
    transitions.postpone(near, now + 10 * MINUTE, { cause: 'answer' });
    clock.sleep(-HOUR);
    shortenWaits({ stores, clock, gates, transitions }, HOUR);
    expect(stores.outbox.get(moved)).toMatchObject({ nextAt: now + 2 * HOUR, chosenAt: now });
    expect(stores.outbox.get(near)).toMatchObject({ nextAt: now, chosenAt: now });
  });
});
