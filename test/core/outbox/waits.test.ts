import { beforeEach, describe, expect, it } from 'vitest';
import { OutboxGates } from '../../../electron/core/outbox/gates.ts';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import { createOutboxTransitions } from '../../../electron/core/outbox/transitions.ts';
import { endImpossibleScans, shortenWaits } from '../../../electron/core/outbox/waits.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let connectionId: ConnectionId;
let gates: OutboxGates;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  const { stores, clock } = world;
  gates = new OutboxGates({ stores, clock, emit: () => undefined });
});

const now = () => world.clock.now();

function shorten(by = HOUR): void {
  const { stores, clock } = world;
  const transitions = createOutboxTransitions({ stores, clock, emit: () => undefined });
  shortenWaits({ stores, clock, gates, transitions }, by);
}

const insert = (change: Partial<NewRow>) => insertRow(world, connectionId, change);

const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const until = () => gates.closed(connectionId)[0]?.until;

describe('the shortening of waits after a clock was set back', () => {
  const later = () => now() + 3 * HOUR;

  it('equals the change of the clock if the later clock set the waits, and keeps their reasons', () => {
    const reason = { code: 'offline', message: 'Lost' } as const;
    gates.close(connectionId, 'offline', later(), reason);
    const at = later();
    const ref = insert({ nextAt: at });
    world.stores.outbox.move(ref, ['queued'], { to: 'queued', cause: 'not-sent', reason }, now());
    world.clock.sleep(-HOUR);
    shorten();
    expect(gates.closed(connectionId)).toMatchObject([
      { kind: 'offline', until: at - HOUR, reason },
    ]);
    expect(row(ref)).toMatchObject({ state: 'queued', nextAt: at - HOUR, reason });
    expect(world.stores.outbox.journal(ref).at(-1)).toMatchObject({ cause: 'clock' });
  });

  it.each([
    { ago: 2 * MINUTE, by: 0 },
    { ago: 2 * MINUTE + 1, by: HOUR },
    { ago: 0, by: 0 },
  ])('is $by ms for waits that were set $ago ms before now', ({ ago, by }) => {
    gates.close(connectionId, 'offline', later(), null);
    const at = later();
    const ref = insert({ nextAt: at });
    world.clock.leap(ago);
    shorten();
    expect(until()).toBe(at - by);
    expect(row(ref).nextAt).toBe(at - by);
  });

  it('excludes rows that wait for a person, are due, or have a chosen time', () => {
    gates.close(connectionId, 'user', null, null);
    const held = insert({});
    const scheduled = insert({ nextAt: later(), isScheduled: true });
    const due = insert({ nextAt: now() + HOUR });
    const rows = [held, scheduled, due].map((ref) => row(ref));
    world.clock.leap(HOUR);
    shorten();
    expect([held, scheduled, due].map((ref) => row(ref))).toEqual(rows);
    expect(until()).toBeNull();
  });

  it('looks for unknown rows as early as without the change of the clock', () => {
    const ref = insert({});
    const { outbox } = world.stores;
    const track = { lookAt: later(), inconclusiveSince: now() };
    outbox.move(ref, ['queued'], { to: 'unknown', cause: 'answer', track }, now());
    shorten();
    const shorter = {
      lookAt: track.lookAt - HOUR,
      inconclusiveSince: track.inconclusiveSince - HOUR,
    };
    expect(row(ref)).toMatchObject({ state: 'unknown', track: shorter });
    expect(outbox.journal(ref).at(-1)?.cause).toBe('clock');
    const other = { to: 'unknown', cause: 'look', track: { inconclusiveSince: null } } as const;
    outbox.move(ref, ['unknown'], other, now());
    shorten();
    expect(row(ref).track).toMatchObject({
      lookAt: track.lookAt - 2 * HOUR,
      inconclusiveSince: null,
    });
  });

  it('does not change rows that are no longer looked for', () => {
    const [looked, ref] = [insert({}), insert({})];
    const { outbox } = world.stores;
    const unknown = { to: 'unknown', cause: 'answer' } as const;
    outbox.move(looked, ['queued'], { ...unknown, track: { lookAt: later() } }, now());
    outbox.move(ref, ['queued'], { to: 'human', cause: 'look', track: { lookAt: null } }, now());
    const before = row(ref);
    shorten();
    expect(row(ref)).toEqual(before);
  });
});

describe('a clock that was ahead and was corrected while no process ran', () => {
  const YEAR = 365 * 24 * HOUR;

  it('delays a scan by at most the maximum interval between scans (DL-W24)', () => {
    const { outbox } = world.stores;
    const [ahead, usual] = [insert({}), insert({})];
    const unknown = { to: 'unknown', cause: 'answer' } as const;
    const far = { lookAt: now() + YEAR, inconclusiveSince: now() + YEAR };
    outbox.move(ahead, ['queued'], { ...unknown, track: far }, now());
    const near = { lookAt: now() + 8 * MINUTE, inconclusiveSince: now() - MINUTE };
    outbox.move(usual, ['queued'], { ...unknown, track: near }, now());
    endImpossibleScans(world);
    expect(row(ahead).track).toMatchObject({ lookAt: now(), inconclusiveSince: now() });
    expect(row(usual).track).toMatchObject(near);
    expect(outbox.journal(usual).at(-1)?.cause).toBe('answer');
  });

  it('lets the next process scan the service (DL-W25)', async () => {
    const ref = insert({});
    const track = { lookAt: now() + YEAR };
    world.stores.outbox.move(ref, ['queued'], { to: 'unknown', cause: 'answer', track }, now());
    const { api } = startMemoryDesk(world);
    await api['outbox.run']({});
    expect(world.stores.outbox.scans(ref)).toHaveLength(1);
  });

  it('blocks a connection for at most a day (DL-W26)', () => {
    const kinds = ['rate', 'offline', 'office', 'breaker'] as const;
    for (const kind of kinds) gates.close(connectionId, kind, now() + YEAR, null);
    gates.close(connectionId, 'disk', null, null);
    gates.openImpossible();
    expect(gates.closed(connectionId).map(({ kind }) => kind)).toEqual(['disk']);
  });
});
