import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { BatchId, type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { done, pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const batchId = BatchId.parse('b0000000-0000-4000-8000-000000000001');
const lost: WriteResult = {
  kind: 'unknown',
  failure: { code: 'offline', message: 'Lost', reason: 'connection-lost' },
};

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

/** Arms a batch; each attempt gets the answer at its position in `answers`. */
function arm(answers: readonly ('lost' | 'sent')[], more: number): readonly OutboxRef[] {
  const { service, count } = { service: world.services.v1, count: answers.length + more };
  const refs = Array.from({ length: count }, () => OutboxRef.parse(world.chance.uuid()));
  const entries = refs.map((ref, index) => ({
    item: {
      ref,
      title: 'Lease',
      connectionId,
      people: [],
      rowNo: index + 2,
      kind: 'create' as const,
      mark: { by: 'tag' as const },
      nextAt: world.clock.now(),
    },
    request: { body: bytesOf(JSON.stringify({ ref })), target: null, signedAt: null },
    uploads: [],
  }));
  const batch = { batchId, connectionId, title: 'Leases', policy: 'ask', stopAfter: null } as const;
  for (const entry of entries) world.stores.outbox.stage(batchId, entry, world.clock.now());
  world.stores.outbox.arm(batch, world.clock.now());
  for (const [index, answer] of answers.entries()) {
    service.answers.push(answer === 'lost' ? lost : done(`early-${String(index)}`));
  }
  return refs;
}

const work = () => desk.api['outbox.run']({});
const created = () => world.services.v1.created.length;
const kinds = async () => (await desk.api['outbox.gates']({})).map(({ kind }) => kind);
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);
const unknown = () => world.stores.outbox.inState('unknown');

/** Makes the list show the first rows as sent. */
function show(count: number): void {
  const shown = unknown()
    .slice(0, count)
    .map(({ ref }) => remoteOf({ id: `made-${ref}`, title: 'Lease', tags: { 'desk.ref': ref } }));
  for (const one of shown) world.services.v1.agreements.set(one.id, one);
  world.services.v1.pages = [pageOf(shown)];
}

async function lookNow(): Promise<void> {
  world.clock.advance(10_000);
  world.services.v1.serverTime = world.clock.now();
  const [first] = unknown();
  if (first !== undefined) await desk.api['outbox.look']({ ref: first.ref });
}

describe('the circuit breaker', () => {
  it('blocks all sends while five of the last twenty attempts have an unknown outcome (HO-3)', async () => {
    arm([...times(10, 'sent' as const), ...times(5, 'lost' as const)], 30);
    await work();
    expect(await kinds()).toEqual(['breaker']);
    // Only rows that were already in flight when the fifth answer was lost were still sent.
    expect(created()).toBeLessThanOrEqual(17);
    const before = created();
    await work();
    await desk.api['outbox.resume']({ connectionId });
    await work();
    expect(created()).toBe(before);
    expect(await kinds()).toEqual(['breaker']);
  });

  it('lets all sends through at four unknown outcomes in twenty attempts (HO-3)', async () => {
    arm([...times(16, 'sent' as const), ...times(4, 'lost' as const)], 10);
    await work();
    expect(await kinds()).toEqual([]);
    expect(created()).toBe(30);
  });

  it('does not count unknown rows that are older than the last twenty attempts (HO-3)', async () => {
    const answers = [...times(4, 'lost' as const), ...times(20, 'sent' as const), 'lost'] as const;
    arm(answers, 10);
    await work();
    expect(unknown()).toHaveLength(5);
    expect(await kinds()).toEqual([]);
    expect(created()).toBe(35);
  });

  it('allows at most eight rows with unknown outcome, whatever their age (HO-3)', async () => {
    const group = [...times(3, 'lost' as const), ...times(20, 'sent' as const)];
    arm([...group, ...group, ...group], 10);
    await work();
    expect(await kinds()).toEqual(['breaker']);
    expect(unknown().length).toBeLessThanOrEqual(8);
  });

  it('lets sends through again once a scan or a person settles rows (HO-3)', async () => {
    arm(times(5, 'lost' as const), 10);
    await work();
    expect(await kinds()).toEqual(['breaker']);
    const inDoubt = unknown().length;
    show(inDoubt - 5);
    await lookNow();
    expect(await kinds()).toEqual(['breaker']);
    const [first] = unknown();
    if (first === undefined) throw new Error('Nothing is unknown');
    await desk.api['outbox.settle']({ ref: first.ref, decision: { as: 'abandon' } });
    await work();
    expect(created()).toBe(15);
    expect(unknown()).toHaveLength(4);
    expect(await kinds()).toEqual([]);
  });

  it('blocks sends as before after a restart, until rows are settled (HO-3)', async () => {
    arm(times(5, 'lost' as const), 10);
    await work();
    const before = created();
    const { locks } = createWorld();
    desk = startMemoryDesk({ ...world, locks });
    world.clock.advance(9 * MINUTE);
    await work();
    world.clock.advance(2 * MINUTE);
    await work();
    expect(created()).toBe(before);
    show(unknown().length);
    await lookNow();
    await work();
    expect(created()).toBe(15);
    expect(await kinds()).toEqual([]);
  });
});
