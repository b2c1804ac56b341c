import { beforeEach, describe, expect, it } from 'vitest';
import type { AttemptHooks } from '../../../electron/core/outbox/attempts.ts';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { secretName } from '../../../electron/core/services/services.ts';
import type { GateKind } from '../../../shared/contract/outbox.ts';
import { AppError, type ErrorCode, type Failure } from '../../../shared/errors.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
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
import { DAY, SECOND } from '../../../shared/rules/time/units.ts';

const MIB = 1024 * 1024;
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const down: Failure = { code: 'offline', message: 'Down', reason: 'host-unknown' };
const no: Failure = { code: 'invalid', message: 'No' };

let world: World;
let connectionId: ConnectionId;
let freeDisk: number | null;
let hooks: AttemptHooks;
let othersFirst: () => Promise<void>;
let work: ReturnType<typeof startOutboxWork>;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  freeDisk = null;
  hooks = { beforeAttempt: () => undefined, afterAttempt: () => undefined };
  othersFirst = async () => void work.seen.push('others first');
  work = startOutboxWork(world, {
    freeDisk: () => freeDisk,
    scheduler: { yield: () => othersFirst() },
    hooks: {
      beforeAttempt: (...given) => hooks.beforeAttempt(...given),
      afterAttempt: (...given) => hooks.afterAttempt(...given),
    },
  });
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const insert = (change: Partial<NewRow> = {}) =>
  insertRow(world, connectionId, { nextAt: now(), ...change });
const gates = () => work.gates.closed(connectionId);
const kinds = () => gates().map(({ kind }) => kind);
const created = () => world.services.v1.created.length;

/** Makes one attempt with this answer. */
async function attempt(answer?: WriteResult, ref = insert()) {
  if (answer !== undefined) world.services.v1.answers.push(answer);
  return work.worker.attempt(ref);
}

describe('a send attempt', () => {
  it('is stored before its request, and its outcome is reported', async () => {
    const ref = insert();
    hooks = {
      beforeAttempt: (item, { target }) =>
        void work.seen.push(['before', item.state, created(), target]),
      afterAttempt: (item, { kind }) => void work.seen.push(['after', item.state, kind]),
    };
    await attempt(done('7'), ref);
    expect(work.seen).toEqual([
      'others first',
      'before-claim',
      'after-claim',
      ['outbox.changed', { ref }],
      ['before', 'sending', 0, null],
      'before-sent',
      'after-sent',
      ['outbox.changed', { ref }],
      ['sent', connectionId, { remoteId: '7' }],
      ['after', 'sent', 'done'],
    ]);
  });

  it('lets other work run first: one commit for each turn of the event loop', async () => {
    const turns: (() => void)[] = [];
    othersFirst = () => new Promise((resolve) => void turns.push(resolve));
    const both = Promise.all([attempt(), attempt()]);
    for (const claims of [0, 1, 2]) {
      for (let turn = 0; turn < 9; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(work.seen.filter((one) => one === 'after-claim')).toHaveLength(claims);
      turns.shift()?.();
    }
    await both;
  });

  it('sends nothing if the computer sleeps after each of its checks', async () => {
    let sleeps = 0;
    othersFirst = async () => {
      sleeps += 1;
      if (sleeps > 9) throw new Error('It is asked without end');
      work.worker.wokeUp();
    };
    const ref = insert();
    await attempt(undefined, ref);
    expect([row(ref).state, created()]).toEqual(['queued', 0]);
  });

  it.each<Partial<NewRow>>([{ nextAt: null }, { nextAt: Date.UTC(9999, 0) }])(
    'of a row that is not due (%j) has no effect',
    async (change) => {
      freeDisk = 0;
      const ref = insert(change);
      const before = row(ref);
      expect(await attempt(undefined, ref)).toEqual(before);
      expect([work.seen, kinds(), created()]).toEqual([[], [], 0]);
    },
  );

  it('is made exactly when it is due, to the millisecond', async () => {
    expect(await attempt(undefined, insert({ nextAt: now() }))).toMatchObject({ state: 'sent' });
  });

  it('is not made for a row that scans still look for, or whose connection is blocked', async () => {
    const ref = insert();
    world.stores.outbox.move(ref, ['queued'], { to: 'queued', cause: 'x', verify: true }, now());
    await attempt(undefined, ref);
    work.gates.close(connectionId, 'user', null, null);
    await attempt();
    expect([created(), work.seen.filter((one) => one === 'before-claim')]).toEqual([0, []]);
  });

  it('is not made for a row of a paused or stopped batch', async () => {
    const [ref] = armRows(world, { connectionId, rows: 1 });
    world.stores.outbox.setBatchGate(BATCH, 'paused', null);
    await attempt(undefined, ref);
    expect(created()).toBe(0);
    world.stores.outbox.setBatchGate(BATCH, 'open', null);
    await attempt(undefined, ref);
    expect(created()).toBe(1);
  });
});

describe('an attempt sends nothing', () => {
  const held = async (kind: GateKind, failure: Partial<Failure>) => {
    const ref = insert();
    const nextAt = now();
    expect(await attempt(undefined, ref)).toMatchObject({
      state: 'queued',
      attempts: 0,
      nextAt,
      reason: failure,
    });
    expect(gates()).toMatchObject([{ kind, until: null, reason: failure }]);
    expect(world.stores.outbox.journal(ref).at(-1)).toMatchObject({ cause: 'gate' });
    expect(created()).toBe(0);
  };

  it('while less than 50 MiB of the disk are free', async () => {
    freeDisk = 50 * MIB - 1;
    await held('disk', { code: 'storage', reason: 'disk-full' });
    expect(gates()[0]?.reason?.message).toContain('disk is too full');
    work.gates.resume(connectionId);
    freeDisk = 50 * MIB;
    expect(await attempt()).toMatchObject({ state: 'sent' });
  });

  it('if the API key was rejected or is missing', async () => {
    const refused: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };
    work.services.note(connectionId, refused);
    await held('auth', refused);
    work.services.forget(connectionId);
    expect(kinds()).toEqual([]);
    await world.vault.remove(secretName(connectionId));
    await held('auth', { code: 'signed-out', reason: 'credential-missing' });
  });

  it('while the credential store cannot be read', async () => {
    const locked: Failure = { code: 'vault', message: 'Locked', reason: 'vault-locked' };
    world.vault.breakWith(locked);
    await held('keychain', locked);
  });

  it('while this computer cannot write its external state of the data', async () => {
    const full: Failure = { code: 'storage', message: 'Full' };
    world.externalState.breakWith(full);
    await held('disk', full);
  });

  it('if the attempt itself cannot be stored', async () => {
    const { outbox } = world.stores;
    outbox.claim = () => {
      throw new AppError('storage', 'Full');
    };
    expect(await attempt()).toMatchObject({ state: 'queued', attempts: 0 });
    expect(gates()).toMatchObject([{ kind: 'disk', until: null, reason: { code: 'storage' } }]);
    expect(created()).toBe(0);
  });

  it.each([new AppError('conflict', 'No'), new Error('A fault of ours')])(
    'if the commit fails for another reason, and reports the error to its caller: %s',
    async (error) => {
      const { outbox } = world.stores;
      outbox.claim = () => {
        throw error;
      };
      await expect(attempt()).rejects.toBe(error);
      expect([created(), kinds()]).toEqual([0, []]);
    },
  );

  it('if its row was changed just before', async () => {
    const { outbox } = world.stores;
    outbox.claim = () => false;
    await attempt();
    expect([created(), work.seen.includes('after-claim')]).toEqual([0, false]);
  });

  it('if its evidence cannot be stored, and is then not counted', async () => {
    const failure: Failure = { code: 'storage', message: 'No evidence' };
    hooks = {
      ...hooks,
      beforeAttempt: () => {
        throw AppError.from(failure);
      },
    };
    const nextAt = now() + 5 * SECOND;
    expect(await attempt()).toMatchObject({
      state: 'queued',
      attempts: 0,
      nextAt,
      reason: failure,
    });
    expect(created()).toBe(0);
  });

  it('once the program is closing', async () => {
    await work.worker.halt();
    await attempt();
    expect(created()).toBe(0);
  });
});

describe('an answer to an attempt', () => {
  it('counts as sent even if it names no agreement', async () => {
    expect(await attempt(done(null))).toMatchObject({ state: 'sent', remoteId: null });
    expect(work.seen).toContainEqual(['sent', connectionId, { remoteId: null }]);
  });

  it('to a signature with the frozen content reports the changed agreement', async () => {
    const target = { agreementId: AgreementId.parse('9'), partyId: '2', configurationId: '3' };
    const about = { kind: 'sign', mark: { by: 'object' }, nextAt: now() } as const;
    const ref = insertRow(world, connectionId, about, target);
    const asked: unknown[] = [];
    world.services.v1.sign = async (request) => {
      asked.push(request);
      return done('9');
    };
    await work.worker.attempt(ref);
    expect(asked).toEqual([{ ...target, body: world.stores.outbox.request(ref).body }]);
    expect(work.seen).toContainEqual(['sent', connectionId, null]);
  });

  it('that shows the clock of the service sets the time of the attempt', async () => {
    await attempt({ kind: 'done', remoteId: '1', serverTime: now() + 5 * SECOND });
    expect(work.gates.skew(connectionId)).toBe(5 * SECOND);
  });

  it('that was lost means the request may have been carried out', async () => {
    const item = await attempt({ kind: 'unknown', failure: lost });
    expect(item).toMatchObject({
      state: 'unknown',
      reason: { code: 'offline', message: 'Lost', reason: 'outcome-unknown' },
      track: { endedAt: null },
    });
  });

  it('that throws means the request may have been carried out', async () => {
    world.services.v1.create = () => Promise.reject(new Error('A fault of ours'));
    const reason = { code: 'unexpected', reason: 'outcome-unknown' };
    expect(await attempt()).toMatchObject({ state: 'unknown', reason });
  });

  it('that was lost is dated by the clock of the service, now or as last shown', async () => {
    const serverTime = now() - 7 * SECOND;
    const heard = await attempt({ kind: 'unknown', failure: lost, serverTime });
    expect(heard.track.endedAt).toBe(serverTime);
    world.clock.advance(3 * SECOND);
    const unheard = await attempt({ kind: 'unknown', failure: lost });
    expect(unheard.track.endedAt).toBe(now() - 7 * SECOND);
  });

  it('that reports an unsent request makes the row and its connection wait', async () => {
    const until = now() + 5 * SECOND;
    expect(await attempt({ kind: 'not-sent', failure: down })).toMatchObject({
      state: 'queued',
      attempts: 0,
      nextAt: until,
      reason: down,
    });
    expect(gates()).toMatchObject([{ kind: 'offline', until, reason: down }]);
  });

  it('that makes the circuit breaker open takes effect immediately', async () => {
    const { outbox } = world.stores;
    await attempt();
    expect(kinds()).toEqual([]);
    outbox.countUnknown = () => (row(last).state === 'sent' ? 6 : 0);
    const last = insert();
    await attempt(undefined, last);
    expect(kinds()).toEqual(['breaker']);
    work.gates.resume(connectionId);
    const before = created();
    await attempt();
    expect([created(), kinds()]).toEqual([before, ['breaker']]);
  });
});

describe('a temporary rejection of a request by the service', () => {
  const limited = (retryAt?: number): Failure => {
    const failure = { code: 'limited', message: 'Slow down' } as const;
    return retryAt === undefined ? failure : { ...failure, retryAt };
  };
  const turnedAway = (failure: Failure, serverTime?: number) =>
    attempt({
      kind: 'turned-away',
      failure,
      ...(serverTime === undefined ? {} : { serverTime }),
    } as WriteResult);

  it.each([
    { retry: undefined, wait: 30 * SECOND, closed: 30 * SECOND },
    { retry: 10 * SECOND, wait: 10 * SECOND, closed: 30 * SECOND },
    { retry: 90 * SECOND, wait: 90 * SECOND, closed: 90 * SECOND },
    { retry: 9 * DAY, wait: DAY, closed: DAY },
  ])(
    'for $retry ms delays the row $wait ms, and blocks the connection $closed ms',
    async (given) => {
      const failure = limited(given.retry === undefined ? undefined : now() + given.retry);
      const item = await turnedAway(failure);
      expect(item).toMatchObject({
        state: 'queued',
        verify: true,
        nextAt: now() + given.wait,
        reason: failure,
      });
      expect(gates()).toMatchObject([
        { kind: 'rate', until: now() + given.closed, reason: failure },
      ]);
      expect(work.services.refusal(connectionId)).toBeNull();
    },
  );

  it('because of the API key makes the row wait for a person, and marks the key as rejected', async () => {
    const refused: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };
    expect(await turnedAway(refused)).toMatchObject({ state: 'queued', nextAt: now() });
    expect(gates()).toMatchObject([{ kind: 'auth', until: null, reason: refused }]);
    expect(work.services.refusal(connectionId)).toEqual(refused);
  });

  it('leads to a later scan, by the service’s clock, for a request carried out after all', async () => {
    expect((await turnedAway(limited(), now() - SECOND)).track.endedAt).toBe(now() - SECOND);
    work.gates.resume(connectionId);
    world.clock.advance(10 * SECOND);
    expect((await turnedAway(limited())).track.endedAt).toBe(now() - SECOND);
  });
});

describe('a final refusal by the service', () => {
  const refuse = (ref: OutboxRef | undefined) => attempt({ kind: 'refused', failure: no }, ref);
  const gate = () => world.stores.outbox.batchGate(BATCH);

  it('is reported with its reason', async () => {
    expect(await refuse(insert())).toMatchObject({ state: 'rejected', verify: true, reason: no });
  });

  it('stops the batch at its maximum number of refusals, and reports why', async () => {
    const refs = armRows(world, { connectionId, rows: 3, stopAfter: 2 });
    await refuse(refs[0]);
    expect(gate()).toBe('open');
    await refuse(refs[1]);
    expect(gate()).toBe('asks');
    expect(world.stores.outbox.batch(BATCH).reason).toEqual({
      code: 'conflict',
      reason: 'rows-refused',
      message: 'The service refused several rows. Check them before the batch continues',
    });
  });

  it('does not stop a batch without a maximum, or one that a person has paused', async () => {
    const [first, second] = armRows(world, { connectionId, rows: 2 });
    await refuse(first);
    expect(gate()).toBe('open');
    world.stores.outbox.batch = ((batch) => (id) => ({ ...batch(id), stopAfter: 1 }))(
      world.stores.outbox.batch,
    );
    hooks = {
      ...hooks,
      beforeAttempt: () => world.stores.outbox.setBatchGate(BATCH, 'paused', null),
    };
    await refuse(second);
    expect(gate()).toBe('paused');
  });
});

describe('a failure before a send', () => {
  it.each<[ErrorCode, GateKind]>([
    ['vault', 'keychain'],
    ['storage', 'disk'],
    ['signed-out', 'auth'],
    ['invalid', 'auth'],
  ])('of kind %s closes the gate %s', async (code, kind) => {
    work.epoch.check = () => Promise.reject(new AppError(code, 'No'));
    await attempt();
    expect([kinds(), created()]).toEqual([[kind], 0]);
  });
});
