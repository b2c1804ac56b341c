import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import {
  createOutboxTransitions,
  type OutboxTransitions,
} from '../../../electron/core/outbox/transitions.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const no = { code: 'invalid', message: 'No' } as const;

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;
let transitions: OutboxTransitions;
let told: unknown[];
let points: string[];

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  [told, points] = [[], []];
  const { stores, clock } = world;
  transitions = createOutboxTransitions({
    stores,
    clock,
    emit: (name, data) => void told.push([name, data]),
    atKillPoint: (point) => void points.push(point),
  });
});

const insert = (change: Partial<NewRow> = {}) => insertRow(world, connectionId, change);
const insertSignature = (nextAt: number | null) => {
  const target = { agreementId: AgreementId.parse('1'), partyId: '1', configurationId: '1' };
  const about = { kind: 'sign', mark: { by: 'object' }, nextAt } as const;
  return insertRow(world, connectionId, about, target);
};
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const last = (ref: OutboxRef) => world.stores.outbox.journal(ref).at(-1);
const now = () => world.clock.now();
const put = (ref: OutboxRef, to: OutboxState) =>
  world.stores.outbox.move(ref, [row(ref).state], { to, cause: 'test' }, now());
const claim = (ref: OutboxRef) =>
  world.stores.outbox.claim(ref, { at: now(), floor: now(), credential: 'c' });
const tagged = (id: string, ref: OutboxRef) =>
  world.stores.agreements.put(
    connectionId,
    'v1',
    [remoteOf({ id, tags: { 'desk.ref': ref } })],
    now(),
  );

describe('a change of a row', () => {
  it('is reported, with the program as its actor unless a person made it', () => {
    const ref = insert({ nextAt: now() });
    expect(transitions.takeBack(row(ref), 'Maria')).toBe(true);
    expect(last(ref)).toMatchObject({ to: 'cancelled', cause: 'person', actor: 'Maria' });
    const other = insert({ nextAt: now() });
    claim(other);
    transitions.apply(other, { kind: 'refused', endedAt: null }, { cause: 'answer', reason: no });
    expect(last(other)).toMatchObject({ to: 'rejected', cause: 'answer', actor: 'program' });
    expect(told).toEqual([
      ['outbox.changed', { ref }],
      ['outbox.changed', { ref: other }],
    ]);
  });

  it('is not made or reported if the event has no effect or the row was changed in between', () => {
    const ref = insert();
    expect(
      transitions.apply(ref, { kind: 'done', remoteId: null }, { cause: 'answer' }),
    ).toBeNull();
    const { outbox } = world.stores;
    outbox.apply = () => false;
    expect(transitions.apply(ref, { kind: 'cancel' }, { cause: 'person' })).toBeNull();
    expect(transitions.takeBack(row(ref), 'Maria')).toBe(false);
    expect(told).toEqual([]);
  });

  it('keeps the reason only while the row stays in its state', () => {
    const ref = insert({ nextAt: now() });
    claim(ref);
    transitions.apply(ref, { kind: 'refused', endedAt: null }, { cause: 'answer', reason: no });
    const unseen = { hits: [], lookalikes: 0, incompleteReason: null, serverAt: now() } as const;
    transitions.apply(ref, { kind: 'pass', seen: unseen }, { cause: 'look' });
    expect(row(ref)).toMatchObject({ state: 'rejected', reason: no });
    const seen = { ...unseen, hits: [AgreementId.parse('1')] };
    transitions.apply(ref, { kind: 'pass', seen }, { cause: 'look', reason: no });
    expect(row(ref)).toMatchObject({ state: 'sent', reason: null });
    expect(points).toEqual(['before-sent', 'after-sent']);
  });

  it('of its next attempt is possible only while the row waits', () => {
    const ref = insert();
    const context = { cause: 'gate', reason: no };
    expect(transitions.postpone(ref, 5, context)).toBe(true);
    expect(row(ref)).toMatchObject({ state: 'queued', nextAt: 5, reason: no });
    expect(last(ref)).toMatchObject({ cause: 'gate', actor: 'program' });
    expect(transitions.postpone(ref, 6, { cause: 'person', actor: 'Maria' })).toBe(true);
    expect(row(ref).reason).toBeNull();
    expect(last(ref)).toMatchObject({ cause: 'person', actor: 'Maria' });
    expect(told).toHaveLength(2);
    put(ref, 'unknown');
    expect(transitions.postpone(ref, 7, context)).toBe(false);
    expect(row(ref).nextAt).toBe(6);
    expect(told).toHaveLength(2);
  });

  it('to "sent" holds the rows that were to replace the row', () => {
    const ref = insert({ nextAt: now() });
    const replacing = insert({ nextAt: now() + DAY, supersedes: ref });
    const other = insert({ nextAt: now() + DAY });
    claim(ref);
    transitions.apply(ref, { kind: 'lost', endedAt: now() }, { cause: 'answer' });
    expect(row(replacing).nextAt).toBe(now() + DAY);
    const confirm = { kind: 'confirm', remoteId: AgreementId.parse('1') } as const;
    transitions.apply(ref, confirm, { cause: 'person' });
    expect(row(replacing)).toMatchObject({
      state: 'queued',
      nextAt: null,
      reason: { code: 'conflict', reason: 'replaced-sent' },
    });
    expect(last(replacing)?.cause).toBe('replaced');
    expect(row(other).nextAt).toBe(now() + DAY);
  });
});

describe('the draft of a row', () => {
  const sending = async (title = 'Lease') => {
    const { id } = await addDraftV1(desk, title);
    const { ref } = await desk.api['drafts.send']({ id, connectionId, holdSeconds: 9, confirm: 1 });
    return { id, ref };
  };
  const lockOf = async () => (await desk.api['drafts.list']({})).map((draft) => draft.sending);

  it('can be edited again if the row is cancelled or given up, and the change is reported', async () => {
    const { id, ref } = await sending();
    claim(ref);
    transitions.apply(ref, { kind: 'lost', endedAt: now() }, { cause: 'answer' });
    expect(await lockOf()).toEqual([ref]);
    transitions.apply(ref, { kind: 'abandon' }, { cause: 'person' });
    expect(await lockOf()).toEqual([null]);
    expect(told).toContainEqual(['drafts.changed', { id }]);
  });

  it('does not change if another send of the draft has started', async () => {
    const { id, ref } = await sending();
    const other = insert();
    world.stores.drafts.setSending(id, other);
    transitions.takeBack(row(ref), 'Maria');
    expect(await lockOf()).toEqual([other]);
  });

  it('is unlocked after a sudden end only if the row had ended', async () => {
    const [ended, waiting] = [await sending(), await sending('Other')];
    put(ended.ref, 'cancelled');
    transitions.recover(new Set([waiting.ref]));
    expect((await lockOf()).toSorted()).toEqual([null, waiting.ref].toSorted());
    put(waiting.ref, 'human');
    transitions.recover(new Set());
    expect(await lockOf()).toContain(waiting.ref);
  });
});

describe('the outbox, after another process ended', () => {
  const recover = (...own: readonly OutboxRef[]) => transitions.recover(new Set(own));
  const held = (ref: OutboxRef) => row(ref).state === 'queued' && row(ref).nextAt === null;

  it('makes waiting rows wait for a person, except rows that a person sent in this process', () => {
    const [left, own] = [insert({ nextAt: now() }), insert({ nextAt: now() })];
    recover(own);
    expect([held(left), held(own)]).toEqual([true, false]);
    expect(row(left).reason?.message).toContain('waiting when the program ended');
    expect(last(left)).toMatchObject({ cause: 'restart', actor: 'program' });
  });

  it('does not change rows that already wait for a person', () => {
    const ref = insert();
    recover();
    expect(last(ref)?.cause).not.toBe('restart');
  });

  it.each([
    { later: 1, isHeld: false },
    { later: -20 * MINUTE, isHeld: false },
    { later: -20 * MINUTE - 1, isHeld: true },
  ])('makes a row with a chosen time, $later ms from now, wait for a person: $isHeld', (given) => {
    const ref = insert({ nextAt: now() + given.later, isScheduled: true });
    recover();
    expect(held(ref)).toBe(given.isHeld);
  });

  it('cancels a waiting signature, and looks for a signature that may have been made', () => {
    const [waiting, out] = [insertSignature(now()), insertSignature(now())];
    claim(out);
    recover();
    expect(row(waiting)).toMatchObject({
      state: 'cancelled',
      reason: { code: 'conflict', message: expect.stringContaining('waiting') as string },
    });
    expect(row(out)).toMatchObject({ state: 'unknown', reason: { reason: 'outcome-unknown' } });
  });

  it('automatically continues with a temporarily rejected row', () => {
    const ref = insert({ nextAt: now() });
    claim(ref);
    const event = { kind: 'turned-away', nextAt: now(), endedAt: now() } as const;
    transitions.apply(ref, event, { cause: 'answer', reason: no });
    recover();
    expect(row(ref)).toMatchObject({ state: 'queued', nextAt: now(), verify: true });
  });

  it('leaves an unlisted row to a person, even if the batch allows repeats (DL-A7)', () => {
    const [ref] = armRows(world, { connectionId, rows: 1, policy: 'auto' });
    if (ref === undefined) throw new Error('No row');
    claim(ref);
    put(ref, 'absent');
    const single = insert({ nextAt: now() });
    claim(single);
    put(single, 'absent');
    recover();
    expect(row(ref)).toMatchObject({ state: 'human', nextAt: null });
    expect(row(single)).toMatchObject({
      state: 'human',
      reason: {
        reason: 'not-listed',
        message:
          'The full list of the service was searched twice, and the agreement is not in it. ' +
          'An agreement that was created and then revoked or deleted may not be listed either',
      },
    });
  });

  it.each([
    { when: 'a day ago', age: DAY, gate: 'open' },
    { when: 'more than a day ago', age: DAY + 1, gate: 'asks' },
  ])(
    'sets the gate of a batch from $when to $gate, and does not change its rows',
    ({ age, gate }) => {
      const [ref] = armRows(world, { connectionId, rows: 1 });
      world.clock.advance(age);
      const nextAt = ref === undefined ? null : row(ref).nextAt;
      recover();
      expect(world.stores.outbox.batchGate(BATCH)).toBe(gate);
      expect(ref === undefined ? null : row(ref).nextAt).toBe(nextAt);
    },
  );

  it('asks no question about a batch that was paused or has no rows left to send', () => {
    const { outbox } = world.stores;
    const [ref] = armRows(world, { connectionId, rows: 1 });
    world.clock.advance(2 * DAY);
    outbox.setBatchGate(BATCH, 'paused', null);
    recover();
    expect(outbox.batchGate(BATCH)).toBe('paused');
    outbox.setBatchGate(BATCH, 'open', null);
    if (ref !== undefined) put(ref, 'sent');
    recover();
    expect(outbox.batchGate(BATCH)).toBe('open');
  });
});

describe('restored data', () => {
  it('makes all rows that another copy may have sent unknown in one transaction, and no others', () => {
    const undecided = (['queued', 'unknown', 'absent', 'human'] as const).map((state) => {
      const ref = insert({ nextAt: now() });
      if (state !== 'queued') put(ref, state);
      return ref;
    });
    const settled = (['sent', 'rejected', 'cancelled', 'abandoned'] as const).map((state) => {
      const ref = insert();
      put(ref, state);
      return { ref, state };
    });
    let transactions = 0;
    const { transaction } = world.stores;
    world.stores.transaction = (work) => {
      transactions += 1;
      return transaction(work);
    };
    transitions.distrust();
    expect(transactions).toBe(1);
    for (const ref of undecided) {
      expect(row(ref)).toMatchObject({ state: 'unknown', reason: { reason: 'outcome-unknown' } });
      expect(row(ref).reason?.message).toContain('restored');
      expect(last(ref)?.cause).toBe('restored');
    }
    for (const { ref, state } of settled) expect(row(ref).state).toBe(state);
  });

  it('is the reason in the journal of a new row whose agreement already exists', () => {
    const ref = insert({ nextAt: now() });
    tagged('one', ref);
    expect(transitions.doubtSeen(row(ref))).toBe(true);
    expect(row(ref)).toMatchObject({ state: 'sent', remoteId: 'one' });
    const causes = world.stores.outbox.journal(ref).map(({ to, cause }) => [to, cause]);
    expect(causes.slice(-2)).toEqual([
      ['unknown', 'restored'],
      ['sent', 'sync'],
    ]);
  });
});

describe('the outbox, after the computer slept', () => {
  it.each([
    { fell: 'before the computer fell asleep', at: -1, isAsked: false },
    { fell: 'as the computer fell asleep', at: 0, isAsked: true },
    { fell: 'as the computer woke', at: 9 * MINUTE, isAsked: true },
    { fell: 'after the computer woke', at: 9 * MINUTE + 1, isAsked: false },
  ])('makes a row that fell due $fell wait for a person: $isAsked', ({ at, isAsked }) => {
    const since = now();
    const ref = insert({ nextAt: since + at });
    const waiting = insert();
    world.clock.leap(9 * MINUTE);
    transitions.slept(since, false);
    expect(row(ref).nextAt).toBe(isAsked ? null : since + at);
    if (isAsked) {
      expect(row(ref).reason?.reason).toBe('time-missed');
      expect(last(ref)?.cause).toBe('sleep');
    }
    expect(last(waiting)?.cause).not.toBe('sleep');
  });

  it('continues a batch after a short sleep, and leaves it to a person after a long one', () => {
    const { outbox } = world.stores;
    const since = now();
    const [ref] = armRows(world, { connectionId, rows: 1, nextAt: since + MINUTE });
    world.clock.leap(9 * MINUTE);
    transitions.slept(since, false);
    expect(outbox.batchGate(BATCH)).toBe('open');
    transitions.slept(since, true);
    expect(outbox.batchGate(BATCH)).toBe('asks');
    expect(outbox.batch(BATCH).reason?.reason).toBe('time-missed');
    expect(ref === undefined ? null : row(ref).nextAt).toBe(since + MINUTE);
  });
});

describe('the copies of a sync', () => {
  const link = () => transitions.linkToAgreements(connectionId, 'sync');

  it('settle an unknown row whose mark is on exactly one agreement', () => {
    const ref = insert();
    put(ref, 'unknown');
    tagged('one', ref);
    link();
    expect(row(ref)).toMatchObject({ state: 'sent', remoteId: 'one' });
    expect(last(ref)?.cause).toBe('sync');
  });

  it('do not settle a row by two agreements, none, or one of another send', () => {
    const [twice, none, taken] = [insert(), insert(), insert()];
    for (const ref of [twice, none, taken]) put(ref, 'unknown');
    tagged('one', twice);
    tagged('two', twice);
    tagged('three', taken);
    const remoteId = AgreementId.parse('three');
    const other = insert();
    world.stores.outbox.move(other, ['queued'], { to: 'sent', cause: 'test', remoteId }, now());
    link();
    expect([twice, none, taken].map((ref) => row(ref).state)).toEqual(Array(3).fill('unknown'));
  });

  it('do not settle a row by a reference that is not its mark, or a signature', () => {
    const named = insert({ mark: { by: 'name', name: 'Lease ·AB23CD' } });
    const signature = insertSignature(null);
    for (const ref of [named, signature]) {
      put(ref, 'unknown');
      tagged(ref, ref);
    }
    link();
    expect([named, signature].map((ref) => row(ref).state)).toEqual(['unknown', 'unknown']);
  });
});
