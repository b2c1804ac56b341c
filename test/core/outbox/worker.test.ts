import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

let world: World;
let connectionId: ConnectionId;
let otherId: ConnectionId;
let work: ReturnType<typeof startOutboxWork>;
let worker: ReturnType<typeof startOutboxWork>['worker'];

beforeEach(async () => {
  world = createWorld();
  const desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  otherId = (await addConnection(desk, 'v2')).id;
  work = startOutboxWork(world);
  ({ worker } = work);
  worker.release();
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const insert = (change: Partial<NewRow> = {}, on = connectionId) =>
  insertRow(world, on, { nextAt: now(), ...change });
const own = (ref: OutboxRef) => {
  worker.own(ref);
  return ref;
};
/** Whether another process could work the outbox now. */
const isFree = () => {
  const lock = world.locks.lock();
  const isTaken = lock.take();
  if (isTaken) lock.free();
  return isTaken;
};
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Keeps requests in flight until the test releases them, in the order of sending. */
function holdRequests(api: 'v1' | 'v2' = 'v1') {
  const out: ((result: WriteResult) => void)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  world.services[api].create = (_body: Uint8Array, signal?: AbortSignal) => {
    signals.push(signal);
    return new Promise((resolve) => void out.push(resolve));
  };
  const letGo = async () => {
    for (const answer of out) answer(done(world.chance.uuid()));
    await turns();
  };
  return { out, signals, letGo };
}

describe('the outbox of one data folder', () => {
  it('is processed by one process, which first settles the rows of the previous process', () => {
    const [left, mine] = [insert(), own(insert())];
    const out = insert();
    world.stores.outbox.claim(out, { at: now(), floor: 0, credential: '' });
    const other = world.locks.lock();
    other.take();
    expect(worker.hold()).toBe(false);
    expect(row(out).state).toBe('sending');
    other.free();
    expect(worker.hold()).toBe(true);
    expect([row(out).state, row(left).nextAt, row(mine).nextAt]).toEqual(['unknown', null, now()]);
    const later = insert();
    expect(worker.hold()).toBe(true);
    expect(row(later).nextAt).toBe(now());
  });

  it('is released once no row of this process waits or is in flight', async () => {
    const ref = own(insert({ nextAt: now() + HOUR }));
    worker.hold();
    worker.release();
    expect(isFree()).toBe(false);
    work.transitions.postpone(ref, null, { cause: 'person' });
    worker.release();
    expect(isFree()).toBe(true);
    const { letGo } = holdRequests();
    worker.hold();
    const attempt = worker.attempt(own(insert()));
    await turns();
    worker.release();
    expect(isFree()).toBe(false);
    await letGo();
    await attempt;
    worker.release();
    expect(isFree()).toBe(true);
  });

  it('is locked as long as work takes, however the work ends', async () => {
    const seen = await worker.holding(async () => {
      await worker.holding(async () => undefined);
      return isFree();
    });
    expect([seen, isFree()]).toEqual([false, true]);
    await expect(worker.holding(() => Promise.reject(new Error('No')))).rejects.toThrow('No');
    expect(isFree()).toBe(true);
    world.locks.lock().take();
    await expect(worker.holding(async () => 1)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'desk-busy' },
    });
  });

  it('is released once a run has no rows left to send', async () => {
    const ref = own(insert());
    await worker.drain();
    expect(row(ref).state).toBe('sent');
    expect(isFree()).toBe(true);
  });

  it('stays locked by a run whose rows wait for their time', async () => {
    own(insert({ nextAt: now() + HOUR }));
    await worker.drain();
    expect(isFree()).toBe(false);
  });

  it('is not processed by a run while another process has the lock', async () => {
    const ref = insert();
    const other = world.locks.lock();
    other.take();
    await worker.drain();
    expect(row(ref).state).toBe('queued');
  });
});

describe('the requests of the outbox', () => {
  beforeEach(() => {
    worker.hold();
  });

  it('continue while one of many hangs', async () => {
    const refs = armRows(world, { connectionId, rows: 40 });
    const { create } = world.services.v1;
    const hanging = Promise.withResolvers<WriteResult>();
    let asked = 0;
    world.services.v1.create = (...order: Parameters<typeof create>) => {
      asked += 1;
      return asked === 1 ? hanging.promise : create.apply(world.services.v1, order);
    };
    const run = worker.drain();
    for (let round = 0; round < 50 && asked < refs.length; round += 1) await turns();
    expect(asked).toBe(refs.length);
    hanging.resolve(done(world.chance.uuid()));
    await run;
    expect(refs.map((ref) => row(ref).state)).toEqual(refs.map(() => 'sent'));
  });

  it('become one request if they are made for the same row at the same time', async () => {
    const { out, letGo } = holdRequests();
    const ref = insert();
    const both = [worker.attempt(ref), worker.attempt(ref)];
    await turns();
    expect(out).toHaveLength(1);
    await letGo();
    expect((await Promise.all(both)).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect(row(ref).attempts).toBe(1);
    await worker.attempt(ref);
    expect(out).toHaveLength(1);
  });

  it('run three at a time for each connection, without waiting for other connections', async () => {
    const [first, second] = [holdRequests(), holdRequests('v2')];
    const refs = [1, 2, 3, 4, 5].map(() => insert());
    const all = [...refs, insert({}, otherId)].map((ref) => worker.attempt(ref));
    await turns();
    expect([first.out.length, second.out.length]).toEqual([3, 1]);
    first.out[1]?.(done('x'));
    await turns();
    expect(first.out).toHaveLength(4);
    for (let rounds = 0; rounds < 3; rounds += 1) await first.letGo();
    await second.letGo();
    await Promise.all(all);
    expect(refs.every((ref) => row(ref).state === 'sent')).toBe(true);
  });

  it('let the next request start after an internal error in one of them', async () => {
    const { outbox } = world.stores;
    const { claim } = outbox;
    let isBroken = true;
    outbox.claim = (...given) => {
      if (isBroken) throw new Error('A fault of ours');
      return claim(...given);
    };
    const failing = [1, 2, 3].map(() => worker.attempt(insert()));
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    isBroken = false;
    expect(await worker.attempt(insert())).toMatchObject({ state: 'sent' });
  });

  it('increase the epoch number once before the first and once after the last request', async () => {
    const { current } = world.stores.outbox.epoch();
    for (let count = 0; count < 5; count += 1) own(insert());
    let atRequest = 0;
    const create = world.services.v1.create.bind(world.services.v1);
    world.services.v1.create = async (body) => {
      atRequest = world.stores.outbox.epoch().current;
      return create(body);
    };
    await worker.drain();
    expect(world.services.v1.created).toHaveLength(5);
    expect([atRequest, world.stores.outbox.epoch().current]).toEqual([current + 1, current + 2]);
    await worker.drain();
    expect(world.stores.outbox.epoch().current).toBe(current + 2);
  });

  it('are not sent while the epoch number cannot increase, and the run ends', async () => {
    const ref = own(insert());
    world.externalState.breakWith({ code: 'storage', message: 'Full' });
    await worker.drain();
    expect(row(ref)).toMatchObject({ state: 'queued', attempts: 0 });
    world.externalState.breakWith(null);
    work.gates.resume(connectionId);
    await worker.drain();
    expect(row(ref)).toMatchObject({ state: 'sent' });
  });
});

describe('an outbox run', () => {
  it('sends all rows, the oldest first', async () => {
    worker.hold();
    const refs = Array.from({ length: 70 }, () => own(insert()));
    const { created } = world.services.v1;
    await worker.drain();
    expect(created.map((body) => refs.findIndex((ref) => body.includes(ref)))).toEqual(
      refs.map((_, at) => at),
    );
  });

  it('sends rows that became due while it ran, and two simultaneous runs become one', async () => {
    worker.hold();
    const { out, letGo } = holdRequests();
    own(insert());
    const first = worker.drain();
    await turns();
    const late = own(insert());
    const second = worker.drain();
    await letGo();
    await turns();
    await letGo();
    await Promise.all([first, second]);
    expect(row(late).state).toBe('sent');
    expect(out).toHaveLength(2);
  });

  it('leaves rows that were held during it for a later run', async () => {
    worker.hold();
    const ref = own(insert());
    const { outbox } = world.stores;
    outbox.claim = () => false;
    let tries = 0;
    const { due } = outbox;
    outbox.due = (...given) => {
      tries += 1;
      // The run checks once for more due rows; later rows belong to the next run.
      return tries > 3 ? [] : due(...given);
    };
    await worker.drain();
    expect(row(ref).state).toBe('queued');
  });

  it('scans for rows with unknown outcome when they are due, one scan at a time', async () => {
    worker.hold();
    const ref = insert({ nextAt: null });
    const track = { lookAt: now() + SECOND };
    world.stores.outbox.move(ref, ['queued'], { to: 'unknown', cause: 'x', track }, now());
    await worker.drain();
    expect(world.services.v1.scans).toBe(0);
    world.clock.advance(SECOND);
    await Promise.all([worker.drain(), worker.reconcileConnection(connectionId)]);
    expect(world.services.v1.scans).toBe(1);
    await worker.reconcileConnection(connectionId);
    expect(world.services.v1.scans).toBe(2);
  });

  it('closes a circuit breaker whose rows have been settled', async () => {
    worker.hold();
    work.gates.close(connectionId, 'breaker', null, null);
    work.gates.close(otherId, 'user', null, null);
    const ref = own(insert());
    await worker.drain();
    expect(row(ref).state).toBe('sent');
    expect(work.gates.closed(otherId)).toHaveLength(1);
  });
});

describe('the outbox in a window', () => {
  it('sends nothing before it has started, and then due rows by the clock', async () => {
    worker.hold();
    const ref = own(insert({ nextAt: now() + 90 * SECOND }));
    worker.wake();
    world.clock.advance(100 * SECOND);
    await turns();
    expect(row(ref).state).toBe('queued');
    const next = own(insert({ nextAt: now() + 90 * SECOND }));
    worker.start();
    await turns();
    expect(row(ref).state).toBe('sent');
    world.clock.advance(89 * SECOND);
    await turns();
    expect(row(next).state).toBe('queued');
    world.clock.advance(SECOND);
    await turns();
    expect(row(next).state).toBe('sent');
  });

  it('tries to lock the outbox every fifteen seconds while another process has the lock', async () => {
    const ref = own(insert());
    const other = world.locks.lock();
    other.take();
    worker.start();
    await turns();
    other.free();
    world.clock.advance(15 * SECOND - 1);
    await turns();
    expect(row(ref).state).toBe('queued');
    world.clock.advance(1);
    await turns();
    expect(row(ref).state).toBe('sent');
  });

  it('logs an internal error and continues', async () => {
    worker.hold();
    const ref = own(insert());
    const { outbox } = world.stores;
    const { claim } = outbox;
    const fault = new Error('A fault of ours');
    outbox.claim = () => {
      throw fault;
    };
    worker.start();
    await turns();
    expect(world.log.errors).toContain(fault);
    outbox.claim = claim;
    worker.wake();
    await turns();
    expect(row(ref).state).toBe('sent');
  });

  it.each([
    { asleep: 3 * MINUTE - 1, isAsked: false, gate: 'open' },
    { asleep: 3 * MINUTE, isAsked: true, gate: 'open' },
    { asleep: 12 * HOUR, isAsked: true, gate: 'open' },
    { asleep: 12 * HOUR + 1, isAsked: true, gate: 'asks' },
  ])(
    'that slept $asleep ms makes due rows wait for a person: $isAsked; the gate of a batch is $gate',
    async (given) => {
      worker.hold();
      armRows(world, { connectionId, rows: 1, nextAt: now() + 48 * HOUR });
      const ref = own(insert({ nextAt: now() + MINUTE }));
      worker.start();
      await turns();
      world.clock.leap(given.asleep);
      worker.wake();
      await turns();
      expect(row(ref).state).toBe(given.isAsked ? 'queued' : 'sent');
      expect(row(ref).nextAt === null).toBe(true);
      expect(world.stores.outbox.batchGate(BATCH)).toBe(given.gate);
    },
  );

  it('does not assume a sleep while its clock is checked every minute', async () => {
    worker.hold();
    const ref = own(insert({ nextAt: now() + 10 * MINUTE }));
    worker.start();
    await turns();
    for (let minute = 0; minute < 10; minute += 1) {
      world.clock.advance(MINUTE);
      await turns();
    }
    expect(row(ref).state).toBe('sent');
  });
});

describe('closing the outbox', () => {
  it('waits for requests in flight, and stops them after five seconds', async () => {
    worker.hold();
    const { signals, letGo } = holdRequests();
    const [out, waiting] = [own(insert()), own(insert({ nextAt: now() + SECOND }))];
    worker.start();
    await turns();
    let isStopped = false;
    const stopping = worker.stop().then(() => void (isStopped = true));
    await turns();
    expect([isStopped, signals[0]?.aborted, worker.isHalted]).toEqual([false, false, true]);
    world.clock.advance(5 * SECOND - 1);
    expect(signals[0]?.aborted).toBe(false);
    world.clock.advance(1);
    expect(signals[0]?.aborted).toBe(true);
    await letGo();
    await stopping;
    expect([row(out).state, row(waiting).state]).toEqual(['sent', 'queued']);
    expect(isFree()).toBe(true);
  });

  it('increases the epoch number once more, so that an earlier copy is detected', async () => {
    worker.hold();
    const { letGo } = holdRequests();
    own(insert());
    worker.start();
    await turns();
    const { current } = world.stores.outbox.epoch();
    const stopping = worker.stop();
    await letGo();
    await stopping;
    expect(world.stores.outbox.epoch().current).toBe(current + 1);
  });

  it('starts no new work for any caller', async () => {
    worker.hold();
    const [ref, other] = [own(insert()), own(insert())];
    await worker.halt();
    worker.start();
    await worker.drain();
    await worker.attempt(other);
    world.clock.advance(HOUR);
    await turns();
    expect([row(ref).state, row(other).state]).toEqual(['queued', 'queued']);
  });
});
