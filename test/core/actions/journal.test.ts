import { beforeEach, describe, expect, it } from 'vitest';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createOfficeActs } from '../../../electron/core/office/acts.ts';
import { ActionJournal, type NewAction } from '../../../electron/core/actions/journal.ts';
import type { ActionState } from '../../../shared/contract/actions.ts';
import { type ActionId, AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

const id = AgreementId.parse('lease');
const no = { code: 'invalid', message: 'No' } as const;

let world: World;
let connectionId: ConnectionId;
let journal: ActionJournal;
let emitted: unknown[];
let settled: unknown[];
let done: unknown[];

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  [emitted, settled, done] = [[], [], []];
  journal = startJournal();
});

/** Creates the journal of another process, which has started no action itself. */
function startJournal(): ActionJournal {
  return new ActionJournal({
    ...world,
    emit: (name, data) => void emitted.push([name, data]),
    acts: createOfficeActs({ ...world, joined: () => null, toFailure: createToFailure(world.log) }),
    intents: { settle: (actionId) => void settled.push(actionId) },
    onDone: (at) => void done.push(at),
  });
}

const open = (change: Partial<NewAction> = {}) =>
  journal.open({ kind: 'revoke', connectionId, agreementId: id, title: 'Lease', ...change });
const row = (actionId: ActionId) => world.stores.actions.get(actionId);
const cause = (actionId: ActionId) => world.stores.actions.lastCause(actionId);
const change = () => ['actions.changed', { connectionId }];

describe('an action in the journal', () => {
  it('is stored with the agreement and the values that were given', () => {
    const { actionId } = journal.open({ kind: 'share', connectionId });
    expect(row(actionId)).toEqual({
      actionId,
      kind: 'share',
      connectionId,
      agreementId: null,
      title: '',
      partyId: null,
      notificationId: null,
      token: null,
      goal: null,
      failure: null,
      rule: null,
      revokedAt: null,
      state: 'queued',
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(emitted).toEqual([change()]);
  });

  it('is claimed for sending only once, and its status is reported', () => {
    const action = open();
    emitted.length = 0;
    expect(journal.claim(action)).toBe(true);
    expect([row(action.actionId).state, cause(action.actionId)]).toEqual(['sending', 'request']);
    expect(emitted).toEqual([change()]);
    expect(journal.claim(action)).toBe(false);
    expect(emitted).toHaveLength(1);
  });

  it.each([
    { to: 'done', failure: null },
    { to: 'refused', failure: no },
    { to: 'unknown', failure: no },
  ] as const)('reaches the status $to only once, and its evidence ends too', ({ to, failure }) => {
    const action = open();
    emitted.length = 0;
    if (to === 'done') journal.done(action, 'answer');
    else journal[to](action, 'answer', no);
    expect(row(action.actionId)).toMatchObject({ state: to, failure, revokedAt: null });
    expect(cause(action.actionId)).toBe('answer');
    expect([settled, emitted]).toEqual([[action.actionId], [change()]]);
    expect(done).toEqual(to === 'done' ? [connectionId] : []);
    if (to === 'unknown') return;
    journal.unknown(action, 'late', no);
    expect(row(action.actionId).state).toBe(to);
    expect([settled.length, emitted.length]).toEqual([1, 1]);
  });

  it('with unknown outcome can later be recorded as done with its revocation time', () => {
    const action = open();
    journal.claim(action);
    journal.unknown(action, 'answer', no);
    journal.done(action, 'read-back', 5);
    const end = { state: 'done', failure: null, revokedAt: 5 };
    expect(row(action.actionId)).toMatchObject(end);
  });
});

describe('actions after the end of a process', () => {
  const states = (...actions: readonly { readonly actionId: ActionId }[]) =>
    actions.map(({ actionId }) => row(actionId).state);

  it('are unknown if they were in flight, and refused if they were not sent yet', () => {
    const [waiting, out, over] = [open(), open(), open()];
    journal.claim(out);
    journal.done(over, 'answer');
    startJournal().recover();
    expect(states(waiting, out, over)).toEqual(['refused', 'unknown', 'done']);
    expect(row(waiting.actionId).failure).toMatchObject({ code: 'cancelled' });
    expect(row(waiting.actionId).failure?.message).toContain('nothing was changed');
    expect(row(out.actionId).failure).toMatchObject({
      code: 'conflict',
      reason: 'outcome-unknown',
    });
    expect(row(out.actionId).failure?.message).toContain('not known whether this action was done');
    expect([cause(waiting.actionId), cause(out.actionId)]).toEqual(['restart', 'restart']);
  });

  it('continue if this process started them and they are in progress', () => {
    const [waiting, out] = [open(), open()];
    journal.claim(out);
    journal.recover();
    expect(states(waiting, out)).toEqual(['queued', 'sending']);
  });
});

describe('the copies of a sync', () => {
  /** Adds an action whose answer was lost. */
  function lose(change: Partial<NewAction> = {}) {
    const action = open(change);
    journal.claim(action);
    journal.unknown(action, 'answer', no);
    return action;
  }
  const put = (state: 'revoked' | 'waiting', at = world.clock.now()) =>
    world.stores.agreements.put(connectionId, 'v1', [remoteOf({ id, state })], at);
  const link = (connection = connectionId) => journal.linkToAgreements(connection);
  const after = (actionId: ActionId): ActionState => row(actionId).state;

  it.each([
    { later: 0, to: 'done' },
    { later: -1, to: 'unknown' },
  ])(
    'settle an action with a lost answer if they were read $later ms after it: $to',
    ({ later, to }) => {
      const { actionId } = lose();
      put('revoked', world.clock.now() + later);
      link();
      expect(after(actionId)).toBe(to);
      if (to === 'done') expect(cause(actionId)).toBe('sync');
    },
  );

  it('settle no action if they show that it was not done, or if it has another connection or no agreement', async () => {
    const { actionId } = lose();
    link();
    put('waiting');
    link();
    expect(after(actionId)).toBe('unknown');
    put('revoked');
    const other = await addConnection(startMemoryDesk(world), 'v2');
    link(other.id);
    expect(after(actionId)).toBe('unknown');
    world.stores.agreements.put(other.id, 'v2', [remoteOf({ id: 'x', state: 'revoked' })], 1);
    const elsewhere = lose({ agreementId: AgreementId.parse('x') });
    const nowhere = lose({ agreementId: null });
    link();
    expect([after(actionId), after(elsewhere.actionId), after(nowhere.actionId)]).toEqual([
      'done',
      'unknown',
      'unknown',
    ]);
  });

  it('that show a deletion settle a pending deletion, however old they are', () => {
    const [removed, revoked] = [lose({ kind: 'remove' }), lose()];
    put('revoked', world.clock.now() - 1);
    world.stores.agreements.markGone({ connectionId, id }, 'no-access');
    link();
    expect(after(removed.actionId)).toBe('unknown');
    world.stores.agreements.markGone({ connectionId, id }, 'deleted');
    link();
    expect([after(removed.actionId), after(revoked.actionId)]).toEqual(['done', 'unknown']);
  });
});
