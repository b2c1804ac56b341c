import { beforeEach, describe, expect, it } from 'vitest';
import { ActionJournal, type NewAction } from '../../../electron/core/actions/journal.ts';
import {
  type ActionRequest,
  ActionRunner,
  type ActionBasis,
} from '../../../electron/core/actions/runner.ts';
import type { ActionResult, GuardedResult } from '../../../electron/core/services/ports.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';

type Order = ActionRequest<ActionBasis, string, never>;
type Intents = ConstructorParameters<typeof ActionJournal>[0]['intents'] &
  ConstructorParameters<typeof ActionRunner>[0]['intents'];
type Guarded = ActionRequest<
  ActionBasis,
  string,
  Extract<GuardedResult<string>, { kind: 'changed' }>
>;

const id = AgreementId.parse('lease');
const no: Failure = { code: 'invalid', message: 'No' };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const done: ActionResult<string> = { kind: 'done', reply: 'yes', etag: '"2"', serverTime: 7 };

let world: World;
let connectionId: ConnectionId;
let work: ReturnType<typeof startOutboxWork>;
let runner: ActionRunner;
/** Calls of the evidence functions, in the sequence in which they were made. */
let evidence: unknown[];
let intents: Intents;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  work = startOutboxWork(world);
  evidence = [];
  const tell =
    (what: string) =>
    (...given: readonly unknown[]) =>
      evidence.push([what, ...given]);
  intents = {
    intend: tell('intend'),
    answered: tell('answered'),
    release: tell('release'),
    settle: (actionId: string) => void tell('settle')(actionId),
  };
  const actionJournal = new ActionJournal({ ...work.ports, intents, onDone: () => undefined });
  runner = new ActionRunner({ ...work.ports, actionJournal, intents });
});

const about = (change: Partial<NewAction> = {}): NewAction => ({
  kind: 'revoke',
  connectionId,
  agreementId: id,
  title: 'Lease',
  ...change,
});
const order = (change: Partial<Order> = {}): Order => ({
  what: about(),
  prepare: async () => ({}),
  send: async () => done,
  ...change,
});
const ending = (result: ActionResult<string>) => order({ send: async () => result });
const rows = () => world.stores.actions.list({ connectionId }, 0);
const last = () => rows()[0];
const cause = () => {
  const row = last();
  return row === undefined ? null : world.stores.actions.lastCause(row.actionId);
};
const show = (change: object = {}) =>
  world.services.v1.agreements.set('lease', remoteOf({ id, ...change }));
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('an action', () => {
  it('that is done is recorded with its revocation time, and its agreement is read again', async () => {
    show({ title: 'As it is now' });
    const outcome = await runner.run(order({ revokedAt: () => 5 }));
    const { actionId } = last() ?? {};
    expect(outcome).toEqual({
      kind: 'done',
      actionId,
      reply: 'yes',
      wasAlready: false,
      etag: '"2"',
    });
    expect([last(), cause()]).toMatchObject([{ state: 'done', revokedAt: 5 }, 'answer']);
    const copy = world.stores.agreements.details({ connectionId, id });
    expect(copy.title).toBe('As it is now');
  });

  it.each(['remind', 'share'] as const)(
    'that is done as a %s requires no reading of the agreement',
    async (kind) => {
      await runner.run(order({ what: about({ kind }) }));
      await runner.run(order({ what: about({ kind, agreementId: null }) }));
      expect(world.services.v1.reads).toEqual([]);
    },
  );

  it('stays done when the agreement cannot be read again', async () => {
    const outcome = await runner.run(order());
    expect(outcome.kind).toBe('done');
    world.services.v1.agreements.set('lease', new AppError('service', 'Not today'));
    expect((await runner.run(order())).kind).toBe('done');
    expect(last()?.state).toBe('done');
  });

  it('to a recipient that its connection no longer allows is not sent (FE-N3)', async () => {
    const { connections } = world.stores;
    const claim = async (): Promise<void> => {
      connections.save({ ...connections.get(connectionId), allowed: ['@ok.test'] });
    };
    const { ports } = work;
    const actionJournal = new ActionJournal({ ...ports, intents, onDone: () => undefined });
    const slow = new ActionRunner({ ...ports, actionJournal, intents, acts: { claim } });
    let left = 0;
    const send = async () => {
      left += 1;
      return done;
    };
    const asked = order({ what: about({ kind: 'correct-email' }), names: ['x@else.test'], send });
    await expect(slow.run(asked)).rejects.toMatchObject({ failure: { reason: 'stranger' } });
    expect(left).toBe(0);
    expect(last()?.state).toBe('refused');
  });

  it('that deletes an agreement marks the copy without reading it again, and is reported', async () => {
    world.stores.agreements.put(connectionId, 'v1', [remoteOf({ id })], 1);
    work.seen.length = 0;
    await runner.run(order({ what: about({ kind: 'remove' }) }));
    expect(world.stores.agreements.details({ connectionId, id }).gone).toBe('deleted');
    expect(world.services.v1.reads).toEqual([]);
    expect(work.seen).toContainEqual([
      'agreements.changed',
      { connectionId, added: 0, changed: 1 },
    ]);
    // An agreement without a local copy cannot be marked as deleted; this is no error.
    const unseen = about({ kind: 'remove', agreementId: AgreementId.parse('unseen') });
    expect((await runner.run(order({ what: unseen }))).kind).toBe('done');
  });

  it('that the service refused throws the service’s refusal', async () => {
    show();
    await expect(runner.run(ending({ kind: 'refused', failure: no }))).rejects.toMatchObject({
      failure: no,
    });
    expect([last(), cause()]).toMatchObject([{ state: 'refused', failure: no }, 'answer']);
  });

  it.each([
    { kind: 'revoke', state: 'revoked', isDone: true },
    { kind: 'reject', state: 'rejected', isDone: true },
    { kind: 'change', state: 'waiting', isDone: false },
  ] as const)(
    'that the service refuses as a $kind counts as done if the agreement shows it: $isDone',
    async (given) => {
      show({ state: given.state });
      const what = about({ kind: given.kind, goal: {} });
      const running = runner.run(
        order({ what, send: async () => ({ kind: 'refused', failure: no }) }),
      );
      if (given.isDone) {
        expect(await running).toMatchObject({ kind: 'done', wasAlready: true, reply: null });
        expect(cause()).toBe('already');
      } else {
        await expect(running).rejects.toMatchObject({ failure: no });
      }
    },
  );

  it('that the service refused stays refused when the agreement cannot be read', async () => {
    world.services.v1.agreements.set('lease', new AppError('service', 'Not today'));
    await expect(runner.run(ending({ kind: 'refused', failure: no }))).rejects.toMatchObject({
      failure: no,
    });
  });

  it('with a lost answer is followed by one reading, and is done if the agreement shows it', async () => {
    show({ state: 'revoked' });
    const outcome = await runner.run(ending({ kind: 'unknown', failure: lost }));
    expect(outcome).toMatchObject({ kind: 'done', wasAlready: false, reply: null, etag: null });
    expect([last()?.state, cause()]).toEqual(['done', 'read-back']);
    expect(world.services.v1.reads).toEqual(['lease']);
  });

  it('with a lost answer has an unknown outcome when the reading fails or does not show the action', async () => {
    show();
    const failure = { ...lost, reason: 'outcome-unknown' };
    const outcome = await runner.run(ending({ kind: 'unknown', failure: lost }));
    expect(outcome).toEqual({ kind: 'unknown', actionId: last()?.actionId, failure });
    expect([last(), cause()]).toMatchObject([{ state: 'unknown', failure }, 'answer']);
    const fault = () => Promise.reject(new Error('A fault of ours'));
    const thrown = await runner.run(order({ what: about({ kind: 'reject' }), send: fault }));
    expect(thrown).toMatchObject({
      kind: 'unknown',
      failure: { code: 'unexpected', reason: 'outcome-unknown' },
    });
  });

  it('with a rejected API key is not done, and the rejection is recorded for the connection', async () => {
    const failure: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };
    await expect(runner.run(ending({ kind: 'turned-away', failure }))).rejects.toMatchObject({
      failure,
    });
    expect([last(), cause()]).toMatchObject([{ state: 'refused', failure }, 'answer']);
    expect(work.services.refusal(connectionId)).toEqual(failure);
  });

  it('that was not sent is not done', async () => {
    await expect(runner.run(ending({ kind: 'not-sent', failure: lost }))).rejects.toMatchObject({
      failure: lost,
    });
    expect([last(), cause()]).toMatchObject([{ state: 'refused', failure: lost }, 'not-sent']);
  });

  it('whose agreement changed before the request is not done, and returns the current version', async () => {
    const changed = {
      kind: 'changed',
      failure: no,
      fresh: { ok: true, value: 'theirs' },
    } as const;
    const guarded: Guarded = { ...order(), send: async () => changed };
    expect(await runner.runGuarded(guarded)).toBe(changed);
    expect([last(), cause()]).toMatchObject([{ state: 'refused', failure: no }, 'answer']);
  });
});

describe('an action before its request is sent', () => {
  it('is stored on disk with its evidence', async () => {
    const intent = { fact: 'what was meant' };
    const states: unknown[] = [];
    await runner.run(
      order({
        prepare: async () => {
          states.push(last()?.state);
          return {};
        },
        intent: (() => intent) as unknown as NonNullable<Order['intent']>,
        send: async () => {
          states.push(last()?.state, evidence.length);
          return done;
        },
      }),
    );
    expect(states).toEqual(['queued', 'sending', 1]);
    const ref = last()?.actionId;
    expect(evidence).toEqual([
      ['intend', { ref, ...intent }],
      ['answered', ref, 7],
      ['settle', ref],
      ['release', ref],
    ]);
  });

  it('can be refused because of the reading just before, and is then not sent', async () => {
    let sent = 0;
    const error = AppError.from(no);
    const refusing = order({
      prepare: () => Promise.reject(error),
      send: async () => {
        sent += 1;
        return done;
      },
    });
    await expect(runner.run(refusing)).rejects.toBe(error);
    expect([last(), cause(), sent]).toMatchObject([
      { state: 'refused', failure: no },
      'prepare',
      0,
    ]);
  });

  it('can be found already done by the reading just before', async () => {
    const send = () => Promise.reject(new Error('It leaves'));
    const outcome = await runner.run(order({ prepare: async () => null, send }));
    expect(outcome).toEqual({
      kind: 'done',
      actionId: last()?.actionId,
      reply: null,
      wasAlready: true,
      etag: null,
    });
    expect([last()?.state, cause()]).toEqual(['done', 'read-back']);
  });

  it('can be stopped by another process, and is then not sent', async () => {
    world.stores.actions.move = () => false;
    const send = () => Promise.reject(new Error('It leaves'));
    await expect(runner.run(order({ send }))).rejects.toMatchObject({
      failure: {
        code: 'conflict',
        message: 'The action was stopped before it was sent, so nothing was changed',
      },
    });
  });

  it('is refused while another process is sending', async () => {
    work.worker.release();
    world.locks.lock().take();
    await expect(runner.run(order())).rejects.toMatchObject({
      failure: { reason: 'desk-busy' },
    });
    expect(rows()).toEqual([]);
  });
});

describe('an earlier action with a lost answer', () => {
  const lose = async (what: Partial<NewAction> = {}) => {
    show();
    await runner.run(
      order({ what: about(what), send: async () => ({ kind: 'unknown', failure: lost }) }),
    );
    return last()?.actionId;
  };
  const stateOf = (actionId: string | undefined) =>
    rows().find((row) => row.actionId === actionId)?.state;

  it.each([async () => ({}), async () => null])(
    'is settled when the action is repeated and done',
    async (prepare) => {
      const same = await lose();
      const others = [await lose({ kind: 'reject' }), await lose({ agreementId: null })];
      await runner.run(order({ prepare }));
      expect(stateOf(same)).toBe('done');
      expect(others.map(stateOf)).toEqual(['unknown', 'unknown']);
    },
  );

  it('stays unknown when repeating it proves nothing about the first attempt', async () => {
    const reminded = await lose({ kind: 'remind' });
    await runner.run(order({ what: about({ kind: 'remind' }) }));
    const revoked = await lose();
    await lose();
    expect([reminded, revoked].map(stateOf)).toEqual(['unknown', 'unknown']);
  });

  it.each([
    { state: 'revoked', to: 'done' },
    { state: 'waiting', to: 'unknown' },
  ] as const)(
    'is looked for on request, and becomes $to when the agreement is $state',
    async (given) => {
      const actionId = await lose();
      show({ state: given.state });
      const reads = world.services.v1.reads.length;
      const row = () =>
        world.stores.actions.list({ connectionId }, 0).find((one) => one.actionId === actionId);
      const before = row();
      if (before === undefined) throw new Error('No row');
      await runner.reconcile(before);
      expect(row()?.state).toBe(given.to);
      if (given.to === 'done')
        expect(world.stores.actions.lastCause(before.actionId)).toBe('read-back');
      await runner.reconcile({ ...before, state: 'done' });
      expect(world.services.v1.reads).toHaveLength(reads + 1);
    },
  );
});

describe('actions on an agreement at the same time', () => {
  /** Starts an action whose request stays in flight until `letGo` is called. */
  function held(what: Partial<NewAction> = {}, result: ActionResult<string> = done) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let isOut = false;
    const running = runner.run(
      order({
        what: about(what),
        send: async () => {
          isOut = true;
          await promise;
          return result;
        },
      }),
    );
    running.catch(() => undefined);
    return { running, letGo: () => resolve(undefined), isOut: () => isOut };
  }

  it('are refused if one equals an action in progress, and possible after it ended', async () => {
    const first = held();
    await expect(runner.run(order())).rejects.toMatchObject({
      failure: {
        code: 'conflict',
        reason: 'already-under-way',
        message: 'The same action is already running. Wait until it ends',
      },
    });
    first.letGo();
    await first.running;
    expect((await runner.run(order())).kind).toBe('done');
  });

  it.each<[Partial<NewAction>, Partial<NewAction>]>([
    [
      { kind: 'remind', partyId: '1' },
      { kind: 'remind', partyId: '2' },
    ],
    [
      { kind: 'remind', notificationId: '1' },
      { kind: 'remind', notificationId: '2' },
    ],
    [
      { kind: 'upload-remove', token: '1' },
      { kind: 'upload-remove', token: '2' },
    ],
    [
      { kind: 'upload-add', title: 'a' },
      { kind: 'upload-add', title: 'b' },
    ],
    [{ kind: 'revoke' }, { kind: 'remove' }],
  ])('with %j and %j are not the same, and follow each other', async (one, other) => {
    const first = held(one);
    const second = held(other);
    await turns();
    expect([first.isOut(), second.isOut()]).toEqual([true, false]);
    first.letGo();
    await turns();
    expect(second.isOut()).toBe(true);
    second.letGo();
    await Promise.all([first.running, second.running]);
  });

  it('count as the same action even if the agreement’s title differs, and the second is refused', async () => {
    const first = held({ title: 'Lease' });
    await expect(runner.run(order({ what: about({ title: 'Renamed' }) }))).rejects.toMatchObject({
      failure: { reason: 'already-under-way' },
    });
    first.letGo();
    await first.running;
  });

  it('do not wait for actions on other agreements, and continue when the action before them fails', async () => {
    const first = held({}, { kind: 'not-sent', failure: lost });
    const other = held({ agreementId: AgreementId.parse('other') });
    const next = held({ kind: 'remove' });
    await turns();
    expect([first.isOut(), other.isOut(), next.isOut()]).toEqual([true, true, false]);
    first.letGo();
    await expect(first.running).rejects.toMatchObject({ failure: lost });
    await turns();
    expect(next.isOut()).toBe(true);
    for (const one of [other, next]) one.letGo();
    await Promise.all([other.running, next.running]);
  });

  it('use the ETag from the program’s own earlier change instead of the given one', async () => {
    const seen: string[] = [];
    const change = (kind: NewAction['kind'], etag: string, reply: ActionResult<string>) =>
      runner.run(
        order({
          what: about({ kind }),
          names: [],
          prepare: async (_actions, _signal, follow) => {
            seen.push(follow(etag));
            return { etag: follow(etag) };
          },
          send: async () => reply,
        }),
      );
    const to = (etag: string | null): ActionResult<string> => ({ ...done, etag }) as typeof done;
    await Promise.all([
      change('change', '"1"', to('"2"')),
      change('correct-email', '"1"', to('"3"')),
      change('silence', '"1"', to(null)),
      change('replace-recipients', '"1"', to('"4"')),
      change('revoke', '"other"', to('"5"')),
    ]);
    expect(seen).toEqual(['"1"', '"2"', '"3"', '"3"', '"other"']);
    // Once no change is in progress, the ETag that the user saw is sent.
    await change('change', '"1"', to('"6"'));
    expect(seen.at(-1)).toBe('"1"');
  });

  it('finish requests in flight when the program closes, and send no new request', async () => {
    const first = held();
    const second = held({ kind: 'remove' });
    await turns();
    let isStopped = false;
    const stopping = runner.stop().then(() => void (isStopped = true));
    await turns();
    expect(isStopped).toBe(false);
    first.letGo();
    await stopping;
    expect((await first.running).kind).toBe('done');
    await expect(second.running).rejects.toMatchObject({
      failure: { code: 'cancelled', message: 'The program is closing' },
    });
    expect(second.isOut()).toBe(false);
  });

  it.each([
    { waited: 4_999, isAborted: false },
    { waited: 5_000, isAborted: true },
  ])('are aborted if they still run $waited ms after closing began: $isAborted', async (given) => {
    let signal: AbortSignal | undefined;
    const { promise, resolve } = Promise.withResolvers<typeof done>();
    const running = runner.run(
      order({
        send: (_actions, _from, given) => {
          signal = given;
          return promise;
        },
      }),
    );
    await turns();
    const stopping = runner.stop();
    world.clock.advance(given.waited);
    expect(signal?.aborted).toBe(given.isAborted);
    resolve(done);
    await Promise.all([running, stopping]);
    expect(signal?.aborted).toBe(true);
  });
});
