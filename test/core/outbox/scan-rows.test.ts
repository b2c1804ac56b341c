import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow, ScanQuery, SeenAgreement } from '../../../electron/core/outbox/ports.ts';
import { reconcileRows } from '../../../electron/core/outbox/scan.ts';
import type { SendMark, OutboxState } from '../../../shared/contract/outbox.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const CREDENTIAL = 'credential-1';
const said: Failure = { code: 'invalid', message: 'No', said: 'AGR-1' };

let world: World;
let connectionId: ConnectionId;
let work: ReturnType<typeof startOutboxWork>;
/** Queries that the service received. */
let queries: ScanQuery[];

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  work = startOutboxWork(world);
  queries = [];
  world.services.v1.serverTime = world.clock.now();
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const last = (ref: OutboxRef) => world.stores.outbox.journal(ref).at(-1);

interface Told {
  readonly to: OutboxState;
  readonly floor?: number;
  readonly credential?: string;
  readonly remoteId?: string;
  readonly verify?: boolean;
  readonly reason?: Failure;
}

/** A row that was sent once and is now in state `to`. */
function sentOnce(
  { to, floor = now() - 10 * MINUTE, credential = CREDENTIAL, ...rest }: Told,
  change: Partial<NewRow> = {},
): OutboxRef {
  const ref = insertRow(world, connectionId, { nextAt: now(), ...change });
  const { outbox } = world.stores;
  outbox.claim(ref, { at: now(), floor, credential });
  const { remoteId, verify = false, reason } = rest;
  const endedAt = now() - 60 * MINUTE;
  const track = { endedAt, lookAt: now() };
  outbox.move(
    ref,
    ['sending'],
    {
      to,
      cause: 'answer',
      verify,
      track,
      ...(remoteId === undefined ? {} : { remoteId: AgreementId.parse(remoteId) }),
      ...(reason === undefined ? {} : { reason }),
    },
    now(),
  );
  return ref;
}

const canary = (change: Partial<Told> = {}) =>
  sentOnce({ to: 'sent', remoteId: 'seen', ...change });
const seenAs = (
  id: string,
  ref: OutboxRef | null,
  change: Partial<SeenAgreement> = {},
): SeenAgreement => ({
  id: AgreementId.parse(id),
  title: 'Lease',
  sentAt: null,
  state: 'READY_TO_SIGN',
  ref,
  parties: null,
  fields: null,
  ...change,
});

/** Scans a list that shows these agreements. */
async function look(...seen: readonly SeenAgreement[]) {
  const { v1 } = world.services;
  v1.scan = async (query, onPage) => {
    queries.push(query);
    onPage();
    v1.tellClock(v1.serverTime);
    return { seen, pages: 2, incompleteReason: v1.incompleteReason, serverTime: v1.serverTime };
  };
  return work.worker.reconcileConnection(connectionId);
}

const scanOf = (ref: OutboxRef) => world.stores.outbox.scans(ref).at(-1);

describe('a scan', () => {
  it('is not started if no outcome is unknown', async () => {
    canary();
    expect(await look()).toBeNull();
    expect([queries, work.seen]).toEqual([[], []]);
  });

  it('is recorded with the pages read and the matches, and reported', async () => {
    const first = canary();
    const ref = sentOnce({ to: 'unknown' });
    world.clock.advance(5);
    await look(seenAs('seen', first), seenAs('other', null));
    expect(scanOf(ref)).toMatchObject({
      startedAt: now(),
      endedAt: now(),
      pages: 2,
      agreements: 2,
      isComplete: true,
      lack: null,
    });
    expect(work.seen[0]).toBe('in-pass');
    expect(work.seen).toContain('before-link');
    expect(work.seen).toContainEqual([
      'agreements.changed',
      { connectionId, added: 0, changed: 1 },
    ]);
  });

  it('that did not reach the service is recorded as failed, with the reason', async () => {
    const ref = sentOnce({ to: 'unknown' });
    const failure: Failure = { code: 'offline', message: 'Down', reason: 'host-unknown' };
    world.services.v1.scan = () => Promise.reject(AppError.from(failure));
    expect(await work.worker.reconcileConnection(connectionId)).toEqual(failure);
    const nothing = { pages: 0, agreements: 0, isComplete: false, lack: 'not-reached' };
    expect(scanOf(ref)).toMatchObject(nothing);
    expect(row(ref)).toMatchObject({ reason: { ...failure, reason: 'outcome-unknown' } });
  });

  it('starts at the earliest of the requests it looks for and the newest sent one', async () => {
    const floors = { unknown: now() - 2 * DAY, other: now() - DAY, newest: now() - 3 * DAY };
    sentOnce({ to: 'unknown', floor: floors.other });
    sentOnce({ to: 'unknown', floor: floors.unknown });
    canary({ floor: now() - 80 * DAY });
    world.clock.advance(1);
    canary({ remoteId: 'newest', floor: floors.newest });
    await look();
    expect(queries.map(({ from }) => from)).toEqual([floors.newest]);
  });

  it('starts a day and ten minutes before a row that was restored or has no service time', async () => {
    const restored = insertRow(world, connectionId);
    world.stores.outbox.move(restored, ['queued'], { to: 'unknown', cause: 'x' }, now());
    await look();
    const old = sentOnce({ to: 'unknown', floor: now() - DAY, credential: '' });
    await look();
    const margin = DAY + 10 * MINUTE;
    expect(queries.map(({ from }) => from)).toEqual([now() - margin, now() - DAY - margin]);
    expect(row(old).state).toBe('human');
  });

  it('requests the fields of each template once', async () => {
    const field = (templateId: string): SendMark => ({ by: 'field', templateId, field: 'ref' });
    for (const id of ['7', '7', '8']) sentOnce({ to: 'unknown' }, { mark: field(id) });
    sentOnce({ to: 'unknown' });
    await look();
    expect(queries[0]?.templates.toSorted()).toEqual(['7', '8']);
  });

  it('is conclusive when it shows one of the last three agreements sent in ninety days', async () => {
    const refs = [1, 2, 3, 4].map((at) => {
      world.clock.advance(1);
      return canary({ remoteId: `seen-${String(at)}` });
    });
    const ref = sentOnce({ to: 'unknown' });
    const [fourth, third] = refs;
    await look(seenAs('seen-1', fourth ?? null));
    expect(scanOf(ref)?.lack).toBe('no-canary');
    await look(seenAs('seen-2', third ?? null));
    expect(scanOf(ref)?.lack).toBeNull();
    world.clock.advance(91 * DAY);
    await look(seenAs('seen-2', third ?? null));
    expect(scanOf(ref)?.lack).toBe('no-canary');
  });

  it('reveals the clock of the service', async () => {
    sentOnce({ to: 'unknown' });
    world.services.v1.serverTime = now() + MINUTE;
    await look();
    expect(work.gates.skew(connectionId)).toBe(MINUTE);
  });

  it('releases sends that the circuit breaker blocked, once unknown rows are settled', async () => {
    const { outbox } = world.stores;
    let unknown = 6;
    outbox.countUnknown = () => unknown;
    work.gates.updateBreaker(connectionId);
    expect(work.gates.closed(connectionId)).toHaveLength(1);
    sentOnce({ to: 'unknown' });
    unknown = 5;
    await look();
    expect(work.gates.closed(connectionId)).toEqual([]);
  });
});

describe('a match of a row in a scan', () => {
  const found = (ref: OutboxRef, change: object = {}) =>
    world.services.v1.agreements.set(
      'theirs',
      remoteOf({ id: 'theirs', tags: { 'desk.ref': ref }, ...change }),
    );

  it('settles the row once the agreement itself was read and stored', async () => {
    const ref = sentOnce({ to: 'unknown' });
    found(ref);
    await look(seenAs('theirs', ref));
    expect(row(ref)).toMatchObject({ state: 'sent', remoteId: 'theirs', reason: null });
    expect(world.services.v1.reads).toEqual(['theirs']);
    const key = { connectionId, id: AgreementId.parse('theirs') };
    expect(world.stores.agreements.details(key).title).toBe('Lease');
  });

  it('is left to a person if the agreement has other content, or if there are two matches', async () => {
    const [ref, twice] = [sentOnce({ to: 'unknown' }), sentOnce({ to: 'unknown' })];
    found(ref, { title: 'Another' });
    await look(seenAs('theirs', ref), seenAs('one', twice), seenAs('two', twice));
    expect(row(ref)).toMatchObject({
      state: 'human',
      reason: {
        code: 'conflict',
        reason: 'outcome-unknown',
        message:
          'The agreement may be theirs on the service. Check it, and decide whether it is the agreement of this send',
      },
    });
    expect(row(twice).state).toBe('duplicate');
    expect(world.services.v1.reads).toEqual(['theirs']);
  });

  it('is shown with all other possible agreements', async () => {
    const ref = sentOnce({ to: 'unknown' }, { mark: { by: 'nothing' } });
    const sentAt = now();
    await look(seenAs('one', null, { sentAt }), seenAs('two', null, { sentAt }));
    expect(row(ref).reason?.message).toContain('be one, two on');
  });

  it('stops the scan without a decision if an internal error prevents its reading', async () => {
    const ref = sentOnce({ to: 'unknown' });
    const fault = new Error('A fault of ours');
    world.services.v1.read = () => Promise.reject(fault);
    await expect(look(seenAs('theirs', ref))).rejects.toBe(fault);
    expect(row(ref).state).toBe('unknown');
  });

  it('keeps the earlier message of the service', async () => {
    const ref = sentOnce({ to: 'unknown', reason: said });
    await look();
    expect(row(ref).reason).toMatchObject({ reason: 'outcome-unknown', said: 'AGR-1' });
    const refused = sentOnce({ to: 'rejected', verify: true, reason: said });
    await look();
    expect(row(refused)).toMatchObject({ state: 'rejected', verify: false, reason: said });
  });

  it('is shown to a person, who decides, if it is only possible and the row was refused', async () => {
    const ref = sentOnce(
      { to: 'rejected', verify: true, reason: said },
      { mark: { by: 'nothing' } },
    );
    await look(seenAs('one', null, { sentAt: now() }));
    expect(row(ref)).toMatchObject({ state: 'human', reason: { said: 'AGR-1' } });
    expect(row(ref).reason?.message).toContain('The agreement may be one');
  });
});

describe('a list that may be from another user', () => {
  it.each([
    { to: 'unknown', verify: false, credential: 'another', after: 'human' },
    { to: 'unknown', verify: false, credential: CREDENTIAL, after: 'unknown' },
    { to: 'queued', verify: true, credential: 'another', after: 'human' },
    { to: 'queued', verify: true, credential: CREDENTIAL, after: 'queued' },
  ] as const)(
    'and lacks the control agreement moves a $to row of API key "$credential" to $after',
    async ({ to, verify, credential, after }) => {
      canary();
      const ref = sentOnce({ to, verify, credential });
      await look();
      expect(row(ref)).toMatchObject({ state: after, verify });
    },
  );

  it.each(['another', CREDENTIAL])(
    'ends the search for a send that was refused through the API key "%s"',
    async (credential) => {
      const alone = sentOnce({ to: 'rejected', verify: true, credential });
      await look();
      expect(row(alone)).toMatchObject({ state: 'rejected', verify: false });
      const before = canary();
      const shown = sentOnce({ to: 'rejected', verify: true, credential });
      await look(seenAs('seen', before));
      expect(row(shown)).toMatchObject({ state: 'rejected', verify: false });
      const unshown = sentOnce({ to: 'rejected', verify: true, credential });
      await look();
      const isOwn = credential === CREDENTIAL;
      expect(row(unshown)).toMatchObject({ verify: isOwn, track: { inconclusiveScans: 1 } });
    },
  );

  it.each(['unstable', 'no-tags'] as const)('and that is %s is inconclusive', async (reason) => {
    const before = canary();
    world.services.v1.incompleteReason = reason;
    const refused = sentOnce({ to: 'rejected', verify: true, credential: 'another' });
    const unknown = sentOnce({ to: 'unknown', credential: 'another' });
    await look(seenAs('seen', before));
    expect(row(refused)).toMatchObject({ state: 'rejected', verify: true });
    expect(row(unknown).state).toBe('unknown');
    expect(scanOf(unknown)).toMatchObject({ lack: reason, isComplete: false });
  });
});

describe('a row that was proven absent', () => {
  it.each([
    { kind: null, to: 'human' },
    { kind: 'breaker', to: 'human' },
    { kind: 'user', to: 'human' },
  ] as const)('on v1 is $to while the closed gate is $kind', async ({ kind, to }) => {
    const before = canary();
    const ref = sentOnce({ to: 'unknown' });
    const { outbox } = world.stores;
    const { get } = outbox;
    outbox.get = (one) => ({ ...get(one), policy: 'auto' });
    await look(seenAs('seen', before));
    expect(row(ref)).toMatchObject({ state: 'unknown', track: { cleanPasses: 1 } });
    expect(work.seen).toContain('between-passes');
    world.clock.advance(2 * MINUTE);
    world.services.v1.serverTime = now();
    if (kind !== null) work.gates.close(connectionId, kind, null, null);
    if (kind === 'breaker') outbox.countUnknown = () => 6;
    await look(seenAs('seen', before));
    expect(row(ref).state).toBe(to);
    expect(last(ref)).toMatchObject({ from: 'absent', cause: 'policy' });
  });
});

describe('a second agreement of a send', () => {
  const check = async (ref: OutboxRef, ...seen: readonly SeenAgreement[]) => {
    const { v1 } = world.services;
    v1.scan = async () => ({ seen, pages: 1, incompleteReason: null, serverTime: null });
    const { signal } = new AbortController();
    await reconcileRows(work.ports, connectionId, [row(ref)], signal);
    return row(ref).state;
  };

  it('is reported if it carries the mark of the send; the first agreement alone is not', async () => {
    const ref = canary({ remoteId: 'own' });
    expect(await check(ref, seenAs('own', ref))).toBe('sent');
    expect(await check(ref, seenAs('own', ref), seenAs('late', ref))).toBe('duplicate');
    expect(last(ref)).toMatchObject({ cause: 'look', actor: 'program' });
  });

  it('is reported even if an earlier scan read it, unless it was already shown to a user', async () => {
    const ref = canary({ remoteId: 'own' });
    const met = { ...seenAs('late', ref), remoteId: AgreementId.parse('late'), isMarked: true };
    world.stores.outbox.recordScan({
      connectionId,
      credential: CREDENTIAL,
      from: 0,
      startedAt: now(),
      endedAt: now(),
      serverAt: now(),
      pages: 1,
      agreements: 1,
      canary: null,
      isComplete: false,
      lack: 'unstable',
      hits: new Map([[ref, [met]]]),
    });
    expect(await check(ref, seenAs('own', ref), seenAs('late', ref))).toBe('duplicate');
  });

  it('is not reported again once a person kept one of the two', async () => {
    const ref = canary({ remoteId: 'own' });
    const both = [seenAs('own', ref), seenAs('late', ref)] as const;
    await check(ref, ...both);
    const keep = { kind: 'keep', remoteId: AgreementId.parse('own') } as const;
    work.transitions.apply(ref, keep, { cause: 'person' });
    expect(await check(ref, ...both)).toBe('sent');
    expect(await check(ref, ...both, seenAs('third', ref))).toBe('duplicate');
  });

  it.each<SendMark>([{ by: 'nothing' }, { by: 'token' }])(
    'without a mark (by $by) is only suspected once the request was sent twice',
    async (mark) => {
      const late = seenAs('late', null, { sentAt: now() });
      const once = sentOnce({ to: 'sent', remoteId: 'own' }, { mark });
      expect(await check(once, late)).toBe('sent');
      const twice = sentOnce({ to: 'unknown' }, { mark });
      work.transitions.apply(twice, { kind: 'abandon' }, { cause: 'person' });
      const { outbox } = world.stores;
      outbox.move(twice, ['abandoned'], { to: 'queued', cause: 'x', nextAt: now() }, now());
      outbox.claim(twice, { at: now(), floor: 0, credential: CREDENTIAL });
      outbox.move(twice, ['sending'], { to: 'sent', cause: 'x' }, now());
      expect(await check(twice, late)).toBe('duplicate');
    },
  );

  it('is not assumed for an agreement with the same name but other parties', async () => {
    const mark = { by: 'name', name: 'Lease' } as const;
    const ref = sentOnce({ to: 'sent', remoteId: 'own' }, { mark, parties: 'others' });
    expect(await check(ref, seenAs('late', null, { parties: ['person:1'] }))).toBe('sent');
  });
});
