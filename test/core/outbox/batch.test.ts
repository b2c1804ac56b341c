import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { textOf } from '../../support/fakes/memory-ports.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const work = () => desk.api['outbox.run']({});
const batch = () => world.stores.outbox.batch(BATCH);
const gateOf = () => world.stores.outbox.batchGate(BATCH);
const stateOf = (ref: OutboxRef | undefined) => batchRows().find((row) => row.ref === ref)?.state;
const batchRows = () => world.stores.outbox.inBatch(BATCH);
const arm = (rows: number, stopAfter: number | null = null) =>
  armRows(world, { connectionId, rows, stopAfter });

/** Moves the clocks of this computer and the service, and runs the outbox. */
async function later(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  world.services.v1.serverTime = world.clock.now();
  await work();
}

const no: Failure = { code: 'invalid', message: 'No' };
const signedOut: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };

/** Makes the service answer these rows with `result`, and carry out all others. */
function answer(refs: readonly (OutboxRef | undefined)[], result: WriteResult): void {
  const { v1 } = world.services;
  const create = v1.create.bind(v1);
  const left = new Set(refs);
  v1.create = async (body) => {
    const ref = [...left].find((one) => one !== undefined && textOf(body).includes(one));
    if (ref === undefined) return create(body);
    left.delete(ref);
    v1.answers.unshift(result);
    return create(body);
  };
}

describe('a batch in the outbox', () => {
  it('is started completely or not at all', () => {
    const [first] = arm(3);
    expect(batch()).toMatchObject({ rows: 3, counts: { queued: 3 } });
    expect(() => arm(2)).toThrow();
    expect(batchRows().map(({ ref }) => ref)).toContain(first);
    expect(batchRows()).toHaveLength(3);
  });

  it('continues after a sudden end, and looks up the rows that were in flight (TX-10, TX-11)', async () => {
    const [onWire, ...others] = arm(4);
    if (onWire === undefined) throw new Error('No row');
    const at = world.clock.now();
    world.stores.outbox.claim(onWire, { at, floor: at, credential: 'credential-1' });
    // The system gives the lock of a killed process to the next one.
    desk = startMemoryDesk({ ...world, locks: createWorld().locks });
    await work();
    expect(gateOf()).toBe('open');
    expect(stateOf(onWire)).toBe('unknown');
    expect(others.map(stateOf)).toEqual(['sent', 'sent', 'sent']);
    expect(world.services.v1.created).toHaveLength(3);
    expect(world.services.v1.created.join(' ')).not.toContain(onWire);
  });

  it('has at most three requests of a connection in flight, one for each row (TX-11)', async () => {
    let onWire = 0;
    const seen: number[] = [];
    const answers: (() => void)[] = [];
    world.services.v1.create = async () => {
      onWire += 1;
      seen.push(onWire);
      await new Promise<void>((resolve) => void answers.push(resolve));
      onWire -= 1;
      return done(world.chance.uuid());
    };
    arm(8);
    const working = work();
    for (let row = 0; row < 8; row += 1) {
      await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(Math.min(8, row + 3));
      answers[row]?.();
    }
    await working;
    expect(Math.max(...seen)).toBe(3);
    expect(seen).toHaveLength(8);
    expect(batch().counts).toMatchObject({ sent: 8 });
  });

  it('can be paused and stopped without changing its sent rows (TX-11)', async () => {
    arm(4);
    const { outbox } = world.stores;
    outbox.setBatchGate(BATCH, 'paused', null);
    await work();
    expect(world.services.v1.created).toEqual([]);
    outbox.setBatchGate(BATCH, 'open', null);
    world.services.v1.create = async () => {
      outbox.setBatchGate(BATCH, 'paused', null);
      return done(world.chance.uuid());
    };
    await work();
    const { counts } = batch();
    expect(counts.sent).toBeGreaterThan(0);
    expect(counts.queued).toBeGreaterThan(0);
    expect(outbox.cancelBatch(BATCH, world.clock.now(), 'person')).toHaveLength(counts.queued);
    expect(batch().counts).toMatchObject({ sent: counts.sent, cancelled: counts.queued });
  });

  it('stops if the API key is rejected in its second row, and other batches continue (TX-14)', async () => {
    const refs = arm(9);
    answer([refs[1]], { kind: 'turned-away', failure: signedOut });
    await work();
    const { length } = world.services.v1.created;
    // Only rows that were in flight at the same time were still sent.
    expect(length).toBeLessThanOrEqual(4);
    expect(batch().counts).toMatchObject({ sent: length - 1, queued: 10 - length, rejected: 0 });
    expect(await desk.api['outbox.gates']({})).toMatchObject([{ kind: 'auth', until: null }]);
    await later(HOUR);
    expect(world.services.v1.created).toHaveLength(length);
    await desk.api['connections.replaceSecret']({ id: connectionId, secret: 'new' });
    for (const wait of [0, 11 * MINUTE, 11 * MINUTE]) await later(wait);
    expect(batch().counts).toMatchObject({ sent: 9, queued: 0 });
    expect(world.services.v1.created).toHaveLength(10);
  });

  it('continues after a refused row (TX-14)', async () => {
    const refs = arm(6, 2);
    answer([refs[1]], { kind: 'refused', failure: no });
    await work();
    expect(batch().counts).toMatchObject({ rejected: 1, sent: 5 });
    expect(stateOf(refs[1])).toBe('rejected');
    expect(gateOf()).toBe('open');
  });

  it('waits for a person exactly at its maximum number of refusals (TE-O18, TX-14)', async () => {
    const refs = arm(12, 2);
    answer(refs.slice(0, 2), { kind: 'refused', failure: no });
    await work();
    expect(gateOf()).toBe('asks');
    const { counts } = batch();
    expect(counts).toMatchObject({ rejected: 2 });
    // Only rows that were in flight with the two refused rows were still sent.
    expect(counts.sent).toBeLessThanOrEqual(2);
    expect(counts.queued).toBe(10 - (counts.sent ?? 0));
  });

  it('waits for a person after the computer slept for more than twelve hours (TE-O27)', async () => {
    armRows(world, { connectionId, rows: 3, nextAt: world.clock.now() + 20 * HOUR });
    desk.desk.start();
    await work();
    world.clock.leap(11 * HOUR);
    await work();
    expect(gateOf()).toBe('open');
    world.clock.leap(12 * HOUR + MINUTE);
    await work();
    expect(gateOf()).toBe('asks');
    expect(batch().reason?.message).toContain('slept');
    await later(24 * HOUR);
    expect(world.services.v1.created).toEqual([]);
    await desk.desk.stop();
  });
});
