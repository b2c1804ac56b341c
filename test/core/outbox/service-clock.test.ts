import { beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { FakeService } from '../../support/fakes/fake-service.ts';
import { connectV1, createDemoWorld, startWithV2 } from '../../support/desks/demo-desk.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const hasGate = ({ stores }: World, id: ConnectionId) =>
  stores.outbox.gates(id).some(({ kind }) => kind === 'clock');

describe('a send with a time that a person chose', () => {
  let world: World;
  let desk: MemoryDesk;
  let service: FakeService;
  let connectionId: ConnectionId;
  /** The true time, shown by the service's clock. */
  let isNow: number;
  let questions: number;

  beforeEach(async () => {
    world = createWorld();
    desk = startMemoryDesk(world);
    service = world.services.v1;
    connectionId = (await addConnection(desk)).id;
    isNow = world.clock.now();
    service.serverTime = isNow;
    questions = 0;
    const countOpen = service.countOpen.bind(service);
    service.countOpen = () => {
      questions += 1;
      return countOpen();
    };
  });

  const show = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
  const work = () => desk.api['outbox.run']({});
  const created = () => service.created.length;

  /** Moves the true time. */
  function pass(milliseconds: number): void {
    isNow += milliseconds;
    service.serverTime = isNow;
    world.clock.sleep(milliseconds);
  }

  async function schedule(at: number, title = 'Lease'): Promise<OutboxRef> {
    const { id } = await addDraftV1(desk, title);
    const order = { id, connectionId, holdSeconds: 0, confirm: 1, sendAt: at };
    return (await desk.api['drafts.send'](order)).ref;
  }

  /** Starts another process with the same data, which has not read the service's clock yet. */
  function restart(): void {
    const { locks } = createWorld();
    desk = startMemoryDesk({ ...world, locks });
  }

  it('waits while the local clock is a day ahead, and is sent at its time once the clock is right (DL-P5)', async () => {
    const tomorrow = isNow + DAY;
    const ref = await schedule(tomorrow);
    restart();
    world.clock.sleep(DAY);
    await work();
    expect(created()).toBe(0);
    expect(await show(ref)).toMatchObject({ state: 'queued', nextAt: tomorrow });
    expect(hasGate(world, connectionId)).toBe(true);

    world.clock.sleep(-DAY);
    await work();
    expect(created()).toBe(0);
    pass(DAY);
    restart();
    await work();
    expect(await show(ref)).toMatchObject({ state: 'sent' });
    expect(created()).toBe(1);
  });

  it('is sent by the next run without a person after a clock that was ahead is corrected (DL-P5)', async () => {
    const ref = await schedule(isNow + DAY);
    restart();
    world.clock.sleep(DAY);
    await work();
    expect(hasGate(world, connectionId)).toBe(true);
    pass(DAY);
    world.clock.sleep(-DAY);
    restart();
    await work();
    expect(hasGate(world, connectionId)).toBe(false);
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('also waits in a process that read the service’s clock before the local clock was moved (DL-P5)', async () => {
    await schedule(isNow + 10 * MINUTE, 'First');
    await schedule(isNow + DAY, 'Second');
    pass(10 * MINUTE);
    await work();
    expect(created()).toBe(1);
    world.clock.sleep(DAY - 10 * MINUTE);
    await work();
    expect(created()).toBe(1);
    expect(hasGate(world, connectionId)).toBe(true);
  });

  it('is sent once a person resumes sending, even with the wrong local clock (DL-P5)', async () => {
    const ref = await schedule(isNow + DAY);
    restart();
    world.clock.sleep(DAY);
    await work();
    await desk.api['outbox.resume']({ connectionId });
    await work();
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('requests the service’s clock once for all sends of the same time (DL-P5)', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await schedule(isNow + DAY, title);
    }
    pass(DAY);
    restart();
    await work();
    expect([created(), questions]).toEqual([5, 1]);
  });

  it('does not request the clock again if the service shows none (DL-P5)', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await schedule(isNow + DAY, title);
    }
    pass(DAY);
    restart();
    service.serverTime = null;
    await work();
    expect([created(), questions]).toEqual([5, 1]);
  });

  it('is sent if the service refuses the request for its clock but shows it (DL-P5)', async () => {
    const ref = await schedule(isNow + DAY);
    pass(DAY);
    restart();
    service.countOpen = () => {
      service.tellClock(isNow);
      return Promise.reject(new AppError('service', 'Out of order'));
    };
    await work();
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('waits like every send while the service cannot be reached (DL-P5)', async () => {
    const ref = await schedule(isNow + DAY);
    pass(DAY);
    restart();
    const { countOpen } = service;
    service.countOpen = () =>
      Promise.reject(new AppError('offline', 'No network', { reason: 'host-unknown' }));
    await work();
    expect(created()).toBe(0);
    expect(await show(ref)).toMatchObject({ state: 'queued', reason: { reason: 'host-unknown' } });
    expect(world.stores.outbox.gates(connectionId)).toMatchObject([{ kind: 'offline' }]);
    service.countOpen = countOpen;
    pass(5_000);
    await work();
    expect(await show(ref)).toMatchObject({ state: 'sent' });
  });

  it('is the only kind that requests the clock; other sends start immediately', async () => {
    const { id } = await addDraftV1(desk, 'Now');
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await work();
    expect([created(), questions]).toEqual([1, 0]);
  });
});

describe('a sync with a service whose clock is a day behind the local clock', () => {
  it.each(['v1', 'v2'] as const)(
    'through API %s closes the clock gate before anything is sent (DL-P5)',
    async (api) => {
      const world = createDemoWorld();
      const now = () => Date.now() - DAY;
      let demo: Demo;
      let desk: MemoryDesk;
      let connectionId: ConnectionId;
      if (api === 'v1') {
        demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
        desk = startMemoryDesk({ ...world, clock: { ...world.clock, now: Date.now } });
        connectionId = await connectV1(desk, demo);
      } else {
        const clock = { ...world.clock, now };
        const started = await startWithV2({ ...world, clock });
        ({ demo, connectionId } = started);
        await started.desk.desk.stop();
        desk = startMemoryDesk({ ...world, clock: { ...world.clock, now: Date.now } });
      }
      const { jobId } = await desk.api['agreements.sync']({ connectionId });
      await desk.finish(jobId);
      expect(hasGate(world, connectionId)).toBe(true);
      await desk.desk.stop();
      await demo.close();
    },
  );
});
