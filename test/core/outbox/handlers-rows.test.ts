import { beforeEach, describe, expect, it } from 'vitest';
import { OutboxGates } from '../../../electron/core/outbox/gates.ts';
import { shown } from '../../../electron/core/outbox/handlers.ts';
import type { OutboxMove, RowTrack } from '../../../electron/core/outbox/ports.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const STATES: readonly OutboxState[] = [
  'queued',
  'sending',
  'sent',
  'rejected',
  'unknown',
  'absent',
  'human',
  'duplicate',
  'cancelled',
  'abandoned',
];

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);

/** Moves a row to a state; 'sending' can be reached only by a claim. */
function bring(ref: OutboxRef, to: OutboxState, change: Partial<OutboxMove> = {}): void {
  const { outbox } = world.stores;
  if (to === 'sending') outbox.claim(ref, { at: now(), floor: 0, credential: '' });
  else outbox.move(ref, ['queued'], { to, cause: 'test', ...change }, now());
}

/** Adds a row in the state `to`. */
function rowIn(to: OutboxState, change: Partial<OutboxMove> = {}): OutboxRef {
  const ref = insertRow(world, connectionId, { nextAt: now() });
  bring(ref, to, change);
  return ref;
}

/** Lets another process of the same data hold the outbox. */
const occupy = () => void world.locks.lock().take();
const conflict = (reason?: string) => ({
  failure: { code: 'conflict', ...(reason === undefined ? {} : { reason }) },
});

describe('rows of a batch that need a person', () => {
  it('are rows with unknown outcome, rows that wait for a person, and refused rows', async () => {
    const refs = armRows(world, { connectionId, rows: STATES.length + 2 });
    const { outbox } = world.stores;
    for (const [at, state] of STATES.entries()) {
      const ref = refs[at];
      if (ref !== undefined) bring(ref, state);
    }
    const [held, verified] = refs.slice(STATES.length);
    if (held === undefined || verified === undefined) throw new Error('No rows');
    outbox.move(held, ['queued'], { to: 'queued', cause: 'test', nextAt: null }, now());
    const looking = { to: 'queued', cause: 'test', nextAt: null, verify: true } as const;
    outbox.move(verified, ['queued'], looking, now());
    const listed = await desk.api['outbox.list']({ batchId: BATCH, needsPerson: true });
    const needing = ['rejected', 'unknown', 'absent', 'human', 'duplicate', 'queued'];
    expect(listed.map(({ state }) => state)).toEqual(needing);
    expect(listed.at(-1)?.ref).toBe(held);
    expect(await desk.api['outbox.list']({ batchId: BATCH })).toHaveLength(refs.length);
  });

  it('exclude refused rows that a later batch contains', async () => {
    const refs = armRows(world, { connectionId, rows: 2 });
    for (const ref of refs) {
      world.stores.outbox.move(ref, ['queued'], { to: 'rejected', cause: 'test' }, now());
    }
    world.stores.outbox.takenOn = () => new Set([2]);
    const listed = await desk.api['outbox.list']({ batchId: BATCH, needsPerson: true });
    expect(listed.map(({ ref }) => ref)).toEqual(refs.slice(1));
  });
});

describe('the expected time of a row’s outcome', () => {
  const endedAt = Date.UTC(2026, 10, 21, 11);
  const doubt = (state: OutboxState, track: Partial<RowTrack>, verify = false, skew = 0) => {
    const ref = rowIn(state, { track: { cleanPasses: 1, ...track }, verify });
    const { stores, clock } = world;
    const gates = new OutboxGates({ stores, clock, emit: () => undefined });
    if (skew !== 0) gates.noteServerTime(connectionId, now() + skew);
    return shown(row(ref), gates).doubt;
  };

  it('is twelve minutes after the attempt ended, by the local clock', () => {
    const known = endedAt + 12 * MINUTE;
    expect(doubt('unknown', { endedAt, lookAt: 5 })).toEqual({
      cleanPasses: 1,
      nextPassAt: 5,
      knownAt: known,
    });
    expect(doubt('unknown', { endedAt }, false, 7_000)?.knownAt).toBe(known - 7_000);
    expect(doubt('unknown', { endedAt, cleanAt: endedAt + 5 })?.knownAt).toBe(
      endedAt + 5 + 2 * MINUTE,
    );
    expect(doubt('unknown', {})?.knownAt).toBeNull();
  });

  it('is ten minutes after the attempt ended if the service temporarily rejected it', () => {
    const known = endedAt + 10 * MINUTE;
    expect(doubt('queued', { endedAt, lookAt: 5 }, true)).toEqual({
      cleanPasses: 1,
      nextPassAt: 5,
      knownAt: known,
    });
    expect(doubt('queued', { endedAt }, true, 7_000)?.knownAt).toBe(known - 7_000);
    expect(doubt('queued', { endedAt })).toBeNull();
    expect(doubt('queued', {}, true)).toBeNull();
  });

  it.each(['absent', 'human', 'duplicate'] as const)('is missing if the row is %s', (state) => {
    const asked = { cleanPasses: 1, nextPassAt: null, knownAt: null };
    expect(doubt(state, { endedAt, lookAt: 5 })).toEqual(asked);
  });

  it.each(['rejected', 'sending', 'sent', 'cancelled', 'abandoned'] as const)(
    'is missing without an unknown outcome, if the row is %s',
    (state) => {
      expect(doubt(state, { endedAt })).toBeNull();
    },
  );

  it('is shown without the scan data and the API key', async () => {
    const ref = insertRow(world, connectionId, { nextAt: now(), people: ['Åsa'] });
    world.stores.outbox.claim(ref, { at: now(), floor: 7, credential: 'secret' });
    const { item, attempts } = await desk.api['outbox.history']({ ref });
    expect(item.people).toEqual(['Åsa']);
    expect(attempts).toHaveLength(1);
    expect(JSON.stringify([item, attempts])).not.toMatch(/secret|floor|track|version|fingerprint/u);
  });
});

describe('a late request to change a row', () => {
  it.each([
    { state: 'sending', reason: 'already-under-way' },
    { state: 'unknown', reason: 'outcome-unknown' },
    { state: 'sent', reason: undefined },
  ] as const)('is refused if the row is $state', async ({ state, reason }) => {
    const ref = rowIn(state);
    const failure = {
      code: 'conflict',
      message: expect.stringContaining(`is ${state} now`),
      ...(reason === undefined ? {} : { reason }),
    };
    await expect(desk.api['outbox.undo']({ ref })).rejects.toHaveProperty('failure', failure);
    // For a row in flight, `sendNow` would take over the outbox, and this test answers no request.
    if (state === 'sending') return;
    await expect(desk.api['outbox.sendNow']({ ref })).rejects.toHaveProperty('failure', failure);
    const decision = { as: 'resend' } as const;
    const settling = desk.api['outbox.settle']({ ref, decision });
    await expect(settling).rejects.toHaveProperty('failure', failure);
    expect(row(ref).state).toBe(state);
  });

  it('is recorded in the journal with the person who made it', async () => {
    const ref = insertRow(world, connectionId, { nextAt: now() + DAY });
    await desk.api['outbox.sendNow']({ ref });
    expect(world.stores.outbox.journal(ref).at(-1)).toMatchObject({
      cause: 'person',
      actor: 'person',
    });
    expect(row(ref)).toMatchObject({ nextAt: now(), reason: null });
    await desk.api['outbox.undo']({ ref });
    expect(world.stores.outbox.journal(ref).at(-1)).toMatchObject({
      to: 'cancelled',
      actor: 'person',
    });
  });
});

describe('while another process sends', () => {
  it('this process refuses scans, decisions and runs, and changes nothing', async () => {
    const ref = rowIn('human', { track: { lookAt: null } });
    occupy();
    const busy = {
      failure: {
        code: 'conflict',
        reason: 'desk-busy',
        message:
          'Another window or command of this program is sending now. Try again when it is done',
      },
    };
    await expect(desk.api['outbox.look']({ ref })).rejects.toMatchObject(busy);
    await expect(desk.api['outbox.run']({})).rejects.toMatchObject(busy);
    const decision = { as: 'abandon' } as const;
    await expect(desk.api['outbox.settle']({ ref, decision })).rejects.toMatchObject(busy);
    expect([row(ref).state, world.services.v1.scans]).toEqual(['human', 0]);
  });

  it('this process can still show a settled row', async () => {
    const ref = rowIn('sent');
    occupy();
    expect(await desk.api['outbox.look']({ ref })).toMatchObject({ state: 'sent' });
  });
});

describe('a scan', () => {
  it.each([
    { state: 'unknown', verify: false, scans: 1 },
    { state: 'absent', verify: false, scans: 1 },
    { state: 'human', verify: false, scans: 1 },
    { state: 'queued', verify: true, scans: 1 },
    { state: 'rejected', verify: true, scans: 1 },
    { state: 'queued', verify: false, scans: 0 },
    { state: 'rejected', verify: false, scans: 0 },
    { state: 'cancelled', verify: false, scans: 0 },
  ] as const)(
    'for a row that is $state (looked for: $verify) reads $scans lists',
    async (given) => {
      const track = { lookAt: now() + DAY };
      const ref = rowIn(given.state, { verify: given.verify, nextAt: null, track });
      await desk.api['outbox.look']({ ref });
      expect(world.services.v1.scans).toBe(given.scans);
    },
  );

  it('lets another process send afterwards', async () => {
    const ref = rowIn('human', { track: { lookAt: null }, nextAt: null });
    await desk.api['outbox.look']({ ref });
    expect(world.locks.lock().take()).toBe(true);
  });
});

describe('an outbox run', () => {
  it('opens gates whose cause may be fixed, but does not end a pause by a person', async () => {
    for (const kind of ['keychain', 'disk', 'user', 'auth'] as const) {
      const gate = { connectionId, kind, until: null, reason: null, since: now() };
      world.stores.outbox.closeGate(gate);
    }
    await desk.api['outbox.run']({});
    const kinds = (await desk.api['outbox.gates']({})).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['auth', 'user']);
  });

  it('stays paused until a person resumes the connection, even if one row is sent (DL-D8)', async () => {
    const ref = insertRow(world, connectionId, { nextAt: now() });
    await desk.api['outbox.pause']({ connectionId });
    expect(await desk.api['outbox.gates']({})).toMatchObject([
      { connectionId, kind: 'user', until: null, reason: null },
    ]);
    await expect(desk.api['outbox.sendNow']({ ref })).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'connection-paused' },
    });
    expect(await desk.api['outbox.gates']({})).toHaveLength(1);
    await desk.api['outbox.resume']({ connectionId });
    await desk.api['outbox.sendNow']({ ref });
    await desk.api['outbox.run']({});
    expect(row(ref).state).toBe('sent');
  });
});

describe('a decision of a person', () => {
  const theirs = AgreementId.parse('theirs');
  const put = (change: object = {}) =>
    world.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', ...change }));

  it.each([
    ['no agreement of the service', 'nowhere', 'sent-id-missing'],
    ['a web address', 'https://example.com/1', 'sent-id-form'],
    ['an agreement of another connection', 'elsewhere', 'sent-id-elsewhere'],
    ['an agreement of another send', 'taken', 'sent-id-taken'],
    ['an agreement with another title', 'other', 'sent-id-title'],
  ])(
    'that names %s is rejected with its own reason, and changes nothing',
    async (_, id, reason) => {
      const ref = rowIn('human', { nextAt: null });
      const other = await addConnection(desk, 'v2');
      world.stores.agreements.put(other.id, 'v2', [remoteOf({ id: 'elsewhere' })], now());
      const remoteId = AgreementId.parse('taken');
      rowIn('sent', { remoteId, nextAt: null });
      world.services.v1.agreements.set('taken', remoteOf({ id: 'taken' }));
      world.services.v1.agreements.set('other', remoteOf({ id: 'other', title: 'Another' }));
      const decision = { as: 'sent', remoteId: AgreementId.parse(id) } as const;
      await expect(desk.api['outbox.settle']({ ref, decision })).rejects.toMatchObject({
        failure: { reason },
      });
      expect(row(ref).state).toBe('human');
    },
  );

  it('that a signature was sent names the signed agreement, also if another send created it', async () => {
    const created = rowIn('sent', { nextAt: null });
    const signed = { kind: 'sign', mark: { by: 'object' }, remoteId: theirs } as const;
    const ref = insertRow(world, connectionId, signed);
    world.stores.outbox.move(ref, ['queued'], { to: 'human', cause: 'look' }, now());
    put({ tags: { 'desk.ref': created } });
    const wrong = { as: 'sent', remoteId: AgreementId.parse('other') } as const;
    world.services.v1.agreements.set('other', remoteOf({ id: 'other' }));
    await expect(desk.api['outbox.settle']({ ref, decision: wrong })).rejects.toMatchObject({
      failure: { reason: 'sent-id-signature' },
    });
    const right = { as: 'sent', remoteId: theirs } as const;
    expect(await desk.api['outbox.settle']({ ref, decision: right })).toMatchObject({
      state: 'sent',
    });
  });

  it.each([
    { as: 'sent', from: 'human' },
    { as: 'keep', from: 'duplicate' },
  ] as const)(
    'for $as requires a matching agreement, which is stored and reported',
    async (given) => {
      const ref = rowIn(given.from, { nextAt: null });
      const decision = { as: given.as, remoteId: theirs };
      put({ title: 'Another' });
      const settle = () => desk.api['outbox.settle']({ ref, decision });
      await expect(settle()).rejects.toMatchObject({
        failure: { code: 'invalid', reason: 'sent-id-title' },
      });
      expect(row(ref).state).toBe(given.from);
      put();
      const told: unknown[] = [];
      desk.on('agreements.changed', (data) => void told.push(data));
      expect(await settle()).toMatchObject({ state: 'sent', remoteId: 'theirs' });
      expect(told).toContainEqual({ connectionId, added: 0, changed: 1 });
      expect(world.stores.agreements.find(theirs)).toHaveLength(1);
    },
  );

  it.each([
    { as: 'resend', to: 'queued' },
    { as: 'abandon', to: 'abandoned' },
  ] as const)(
    'for $as needs no request, and is recorded with the previous state',
    async (given) => {
      const ref = rowIn('human', { nextAt: null });
      const settled = await desk.api['outbox.settle']({ ref, decision: { as: given.as } });
      expect(settled.state).toBe(given.to);
      expect(world.services.v1.reads).toEqual([]);
      const step = world.stores.outbox.journal(ref).at(-1);
      expect(step).toMatchObject({ from: 'human', cause: 'person', actor: 'person' });
    },
  );

  it('to send a row again takes effect in the deciding process, also after a restart', async () => {
    const ref = rowIn('human', { nextAt: null });
    await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await desk.api['outbox.run']({});
    expect(row(ref).state).toBe('sent');
  });
});

it('an undo of a cancelled row is refused with a conflict', async () => {
  const ref = rowIn('cancelled');
  await expect(desk.api['outbox.undo']({ ref })).rejects.toMatchObject(conflict());
});
