import { beforeEach, describe, expect, it } from 'vitest';
import type { ScanReading, SeenAgreement } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import type { GateKind } from '../../../shared/contract/outbox.ts';
import type { Failure } from '../../../shared/errors.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const unknown: WriteResult = { kind: 'unknown', failure: lost };

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});
const stateOf = async (ref: OutboxRef) => (await row(ref)).state;

async function send(title = 'Lease'): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  return (await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 })).ref;
}

/** Sends a control, then a row whose answer is lost and which created nothing. */
async function loseOne(): Promise<OutboxRef> {
  await send('Seen by every pass');
  await work();
  world.services.v1.serverTime = world.clock.now();
  world.services.v1.answers.push(unknown);
  const ref = await send();
  await work();
  return ref;
}

/** Moves the clocks of this computer and the service, and then scans. */
async function lookAfter(minutes: number, ref: OutboxRef): Promise<void> {
  world.clock.advance(minutes * MINUTE);
  world.services.v1.serverTime = world.clock.now();
  await desk.api['outbox.look']({ ref });
}

const seenAs = (id: string, change: Partial<SeenAgreement> = {}): SeenAgreement => ({
  id: AgreementId.parse(id),
  title: 'Lease',
  sentAt: null,
  state: 'READY_TO_SIGN',
  ref: null,
  parties: null,
  fields: null,
  ...change,
});

/** Replaces the service's list from now on; it always claims to be complete. */
function list(seen: (from: number) => readonly SeenAgreement[]): void {
  const { v1 } = world.services;
  v1.scan = async ({ from }): Promise<ScanReading> => {
    return { seen: seen(from), pages: 1, incompleteReason: null, serverTime: v1.serverTime };
  };
}

describe('a list without earlier sent agreements', () => {
  it('is inconclusive, however often it is read completely (TE-O19)', async () => {
    const ref = await loseOne();
    list(() => []);
    for (const minutes of [1, 11, 3, 9]) {
      await lookAfter(minutes, ref);
      expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 0 } });
    }
    const { passes } = await desk.api['outbox.history']({ ref });
    expect(passes.map(({ isComplete, lack }) => [isComplete, lack])).toEqual(
      passes.map(() => [false, 'no-canary']),
    );
    for (let pass = 0; pass < 5; pass += 1) await lookAfter(9, ref);
    const asked = await row(ref);
    expect(asked).toMatchObject({ state: 'human', attempts: 1 });
    expect(asked.reason?.reason).not.toBe('not-listed');
    expect(world.services.v1.created).toHaveLength(2);
  });

  it('does not cause a row of a batch to be sent again, even if repeats are allowed (TE-O19)', async () => {
    await send('Seen by every pass');
    await work();
    world.services.v1.answers.push(unknown);
    const [ref] = armRows(world, { connectionId, rows: 1, policy: 'auto' });
    if (ref === undefined) throw new Error('No row');
    await work();
    list(() => []);
    for (let pass = 0; pass < 7; pass += 1) await lookAfter(11, ref);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'human', attempts: 1 });
    expect(world.services.v1.created).toHaveLength(2);
  });
});

describe('an unlisted row of a batch whose rows may be repeated', () => {
  const gates: readonly { kind: GateKind }[] = [
    { kind: 'auth' },
    { kind: 'user' },
    { kind: 'disk' },
  ];

  async function proveAbsent(): Promise<OutboxRef> {
    world.services.v1.answers.push({ kind: 'done', remoteId: 'remote-1', serverTime: null });
    world.services.v1.answers.push(unknown);
    const [, ref] = armRows(world, { connectionId, rows: 2, policy: 'auto' });
    if (ref === undefined) throw new Error('No second row');
    await work();
    world.services.v1.unmade.clear();
    world.services.v1.unmade.add(world.services.v1.created[1] ?? '');
    expect(await stateOf(ref)).toBe('unknown');
    return ref;
  }

  it.each(gates)(
    'is left to a person while the gate "$kind" is closed (TE-O09)',
    async ({ kind }) => {
      const ref = await proveAbsent();
      const gate = { connectionId, kind, until: null, reason: null, since: world.clock.now() };
      world.stores.outbox.closeGate(gate);
      for (const minutes of [1, 11, 3]) await lookAfter(minutes, ref);
      expect(await row(ref)).toMatchObject({
        state: 'human',
        attempts: 1,
        reason: {
          code: 'conflict',
          reason: 'not-listed',
          message:
            'The full list of the service was searched twice, and the agreement is not in it. ' +
            'An agreement that was created and then revoked or deleted may not be listed either',
        },
      });
      const { journal } = await desk.api['outbox.history']({ ref });
      expect(journal.at(-1)).toMatchObject({ from: 'absent', to: 'human', cause: 'policy' });
      await desk.api['outbox.resume']({ connectionId });
      await work();
      expect(world.services.v1.created).toHaveLength(2);
    },
  );

  it('is also left to a person while all gates are open: a colleague may have deleted it (DL-A7)', async () => {
    const ref = await proveAbsent();
    for (const minutes of [1, 11, 3]) await lookAfter(minutes, ref);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'human', attempts: 1 });
    const causes = world.stores.outbox.journal(ref).map(({ to, cause }) => `${to} ${cause}`);
    expect(causes.slice(-2)).toEqual(['absent look', 'human policy']);
    expect(world.services.v1.created).toHaveLength(2);
    expect(world.stores.outbox.batch(BATCH).counts).toMatchObject({ sent: 1, human: 1 });
  });
});

describe('a first request whose answer gave no time', () => {
  it('is looked for from a day before the request, since the local clock may be wrong (TE-O17)', async () => {
    world.services.v1.answers.push(unknown);
    const ref = await send();
    await work();
    // The local clock is three hours ahead of the service's, which dates the agreements.
    const sentAt = world.clock.now() - 3 * HOUR;
    const tags = { 'desk.ref': ref };
    world.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', tags }));
    list((from) => (sentAt >= from ? [seenAs('theirs', { ref, sentAt })] : []));
    world.services.v1.serverTime = sentAt + MINUTE;
    expect(await desk.api['outbox.look']({ ref })).toMatchObject({
      state: 'sent',
      remoteId: 'theirs',
    });
  });

  it('is looked for from minutes before the request once the service clock is known (TE-O17)', async () => {
    const ref = await loseOne();
    const { floor } = world.stores.outbox.attempts(ref)[0] ?? { floor: 0 };
    expect(world.clock.now() - floor).toBeGreaterThan(24 * HOUR);
    await lookAfter(1, ref);
    const second = await send('Second');
    await work();
    const [known] = world.stores.outbox.attempts(second);
    expect(world.clock.now() - (known?.floor ?? 0)).toBe(10 * MINUTE);
  });
});

describe('an agreement that carries the mark of a send', () => {
  it.each([
    { other: 'another title', change: { title: 'Another' } },
    { other: 'the mark of another send', change: { tags: { 'desk.ref': 'another' } } },
  ])(
    'in the list, but has $other when read, is not accepted as the outcome (TE-O21)',
    async ({ change }) => {
      const ref = await loseOne();
      const tags = { 'desk.ref': ref };
      world.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', tags, ...change }));
      const first = remoteOf({ id: 'theirs', tags });
      world.services.v1.pages = [pageOf([first])];
      const looked = await desk.api['outbox.look']({ ref });
      expect(['unknown', 'human']).toContain(looked.state);
      expect(looked.remoteId).toBeNull();
      expect(world.stores.outbox.journal(ref).map(({ to }) => to)).not.toContain('sent');
      expect(await desk.api['drafts.list']({})).toHaveLength(1);
    },
  );
});

describe('two agreements of one send in the copies of a sync', () => {
  it('do not settle the send before a scan has reported them (TE-O28)', async () => {
    world.services.v1.answers.push(unknown);
    const ref = await send();
    await work();
    const tags = { 'desk.ref': ref };
    const both = [remoteOf({ id: 'one', tags }), remoteOf({ id: 'two', tags })];
    world.services.v1.pages = [pageOf(both, world.clock.now())];
    const scan = world.services.v1.scan.bind(world.services.v1);
    world.services.v1.scan = () => Promise.reject(new Error('not now'));
    const sync = async () => desk.finish((await desk.api['agreements.sync']({})).jobId);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'unknown', remoteId: null });
    expect(await desk.api['drafts.list']({})).toHaveLength(1);
    world.services.v1.scan = scan;
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate', remoteId: null });
    expect(world.stores.outbox.journal(ref).map(({ to }) => to)).not.toContain('sent');
  });
});
