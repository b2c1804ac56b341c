import type { ActionId, AgreementKey } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { ActionJournal, NewAction } from './journal.ts';
import { isProved } from './verify.ts';
import { isKnown, type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import { servicesByConnection } from '../services/same-service.ts';
import type { ActionResult, AgreementActions, GuardedResult } from '../services/ports.ts';
import type { EvidenceIntents, Intent } from '../evidence/intents.ts';
import type { Lease } from '../turn-ports.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { ActionGuard, StoredAction } from './ports.ts';
import { actionReach, requireAllowed, requirePeopleAllowed } from '../services/reach.ts';
import type { Encoding, Stores } from '../ports.ts';

/** Time (ms) for requests in flight to be answered when the program closes. */
const ACTION_CLOSING_GRACE_MS = 5_000;

/** State from which a request starts, with the ETag if the request needs one. */
export interface ActionBasis {
  readonly etag?: string;
}

/** The agreement changed since the ETag was read; only guarded requests return this. */
export type ChangedResult<Fresh> = Extract<GuardedResult<Fresh>, { readonly kind: 'changed' }>;

/** One confirmed action: its record, the read before it, and its one request. */
export interface ActionRequest<
  From extends ActionBasis,
  Reply,
  Other extends ChangedResult<unknown>,
> {
  readonly what: NewAction;
  /**
   * Addresses in the request itself; a connection with a list of allowed recipients must allow
   * each.
   */
  readonly names?: readonly string[];
  /**
   * Lease of the task to which the action belongs, and which one computer of an office does for
   * all.
   */
  readonly lease?: Lease | null;
  /**
   * Reads the data that the request needs; null if the intended result already exists. An error
   * refuses the action. `follow` maps an older ETag to the one that our own earlier action
   * produced.
   */
  prepare(
    actions: AgreementActions,
    signal: AbortSignal,
    follow: (etag: string) => string,
  ): Promise<From | null>;
  /**
   * Returns the evidence of an action on behalf of our company, which is saved before the request
   * is sent; absent for other actions.
   */
  intent?(from: From): Omit<Intent, 'ref'>;
  send(
    actions: AgreementActions,
    from: From,
    signal: AbortSignal,
  ): Promise<ActionResult<Reply> | Other>;
  revokedAt?(reply: Reply): number | null;
}

/**
 * Outcome of an action. A refusal is thrown instead. `reply` is null if no request was sent or the
 * answer was lost.
 */
export type ActionOutcome<Reply> =
  | {
      readonly kind: 'done';
      readonly actionId: ActionId;
      readonly reply: Reply | null;
      readonly wasAlready: boolean;
      readonly etag: string | null;
    }
  | { readonly kind: 'unknown'; readonly actionId: ActionId; readonly failure: Failure };

interface RunnerPorts extends FreshCopyPorts {
  readonly stores: Stores;
  readonly encoding: Encoding;
  readonly actionJournal: ActionJournal;
  readonly intents: Pick<EvidenceIntents, 'intend' | 'answered' | 'release'>;
  readonly worker: OutboxWorker;
  readonly acts: Pick<ActionGuard, 'claim'>;
  readonly toFailure: ToFailure;
}

/**
 * Performs each confirmed action with one request; actions on one agreement run one by one. After a
 * lost answer the outcome is read once; the request is never repeated.
 */
export class ActionRunner {
  readonly #ports: RunnerPorts;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<string>();
  readonly #lanes = new ActionLanes();
  #isClosed = false;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
  }

  /**
   * Performs an action. Throws the service's refusal, and 'conflict' while the same action is in
   * progress.
   */
  run<From extends ActionBasis, Reply>(
    order: ActionRequest<From, Reply, never>,
  ): Promise<ActionOutcome<Reply>> {
    return this.#once(order);
  }

  /** Like `run` for a request with an ETag, which may find that the agreement changed. */
  runGuarded<From extends ActionBasis, Reply, Fresh>(
    order: ActionRequest<From, Reply, ChangedResult<Fresh>>,
  ): Promise<ActionOutcome<Reply> | ChangedResult<Fresh>> {
    return this.#once(order);
  }

  /** Reads the outcome of an unknown action once. Throws if it cannot be read. */
  async reconcile(action: StoredAction): Promise<void> {
    if (action.state !== 'unknown') return;
    const isSo = await isProved(this.#ports, action, this.#closing.signal);
    if (isSo) this.#ports.actionJournal.done(action, 'read-back');
  }

  /** Resolves once no request is in flight and all waiting actions have run. */
  async quiet(): Promise<void> {
    await this.#lanes.ended();
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    const calm = this.#ports.clock.after(ACTION_CLOSING_GRACE_MS, () => this.#closing.abort());
    await this.#lanes.ended();
    calm();
    this.#closing.abort();
  }

  async #once<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
  ): Promise<ActionOutcome<Reply> | Other> {
    const target = targetOf(this.#ports.stores, order.what);
    if (this.#underWay.has(target)) {
      throw new AppError('conflict', 'The same action is already running. Wait until it ends', {
        reason: 'already-under-way',
      });
    }
    this.#underWay.add(target);
    try {
      return await this.#ports.worker.holding(() => {
        // Only the lock holder knows that actions in progress belong to processes that ended.
        this.#ports.actionJournal.recover();
        const action = this.#ports.actionJournal.open(order.what);
        return this.#lanes.follow(laneOf(this.#ports.stores, action), (followers) =>
          this.#work(order, action, followers),
        );
      });
    } finally {
      this.#underWay.delete(target);
    }
  }

  async #work<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
    action: StoredAction,
    followers: ReplacedEtags,
  ): Promise<ActionOutcome<Reply> | Other> {
    const { actionJournal, intents, acts, toFailure } = this.#ports;
    let from: From | null;
    try {
      this.#requireNamed(order, action);
      from = await this.#prepare(order, action, followers);
      if (from !== null) {
        const list = this.#listOf(action);
        await this.#requireReached(action);
        await acts.claim(action, order.lease);
        // The list of allowed people changed while this action waited: check against the current
        // list.
        if (this.#listOf(action) !== list) {
          this.#requireNamed(order, action);
          await this.#requireReached(action);
        }
      }
      const intent = from === null ? undefined : order.intent?.(from);
      if (intent !== undefined) intents.intend({ ref: action.actionId, ...intent });
    } catch (error) {
      actionJournal.refused(action, 'prepare', toFailure(error, 'actions'));
      throw error;
    }
    if (from === null) {
      actionJournal.done(action, 'read-back');
      this.#settleEarlier(action);
      return alreadyDoneOutcome(action);
    }
    const outcome = await this.#leave(order, action, from, followers).finally(() =>
      intents.release(action.actionId),
    );
    // The outcome is now in the evidence, which is used to settle earlier actions.
    if (outcome.kind === 'done') this.#settleEarlier(action);
    return outcome;
  }

  /** Returns the people whom the connection may reach now, as text to compare. */
  #listOf({ connectionId }: StoredAction): string {
    return JSON.stringify(this.#ports.stores.connections.get(connectionId).allowed);
  }

  /** Checks the named addresses before any request to the service. */
  #requireNamed(
    { names }: Pick<ActionRequest<ActionBasis, unknown, never>, 'names'>,
    action: StoredAction,
  ): void {
    if (this.#reachOf(action) !== 'named') return;
    if (names === undefined) throw new Error('An action does not say whom it names');
    const reached = names.map((address) => ({ at: 'address', address, isHost: false }));
    requireAllowed(this.#ports.stores, action.connectionId, reached);
  }

  /** Makes the final check before the request is sent. */
  async #requireReached(action: StoredAction): Promise<void> {
    const reach = this.#reachOf(action);
    const { connectionId, agreementId: id, partyId, notificationId } = action;
    if ((reach !== 'people' && reach !== 'notification') || id === null) return;
    const only = reach === 'people' ? null : { partyId, notificationId };
    const { signal } = this.#closing;
    const ports = {
      ...this.#ports,
      read: (key: AgreementKey) => readFreshAgreement(this.#ports, key, signal),
    };
    await this.#ports.services.act(connectionId, (actions) =>
      requirePeopleAllowed(ports, { connectionId, id }, actions, only, signal),
    );
  }

  #reachOf({ kind, connectionId }: StoredAction) {
    const { api } = this.#ports.stores.connections.get(connectionId);
    return actionReach[kind][api];
  }

  async #leave<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
    action: StoredAction,
    from: From,
    followers: ReplacedEtags,
  ): Promise<ActionOutcome<Reply> | Other> {
    if (!this.#ports.actionJournal.claim(action)) {
      throw new AppError(
        'conflict',
        'The action was stopped before it was sent, so nothing was changed',
      );
    }
    const result = await this.#request(order, action, from);
    const serverTime = 'serverTime' in result ? result.serverTime : null;
    this.#ports.intents.answered(action.actionId, serverTime);
    if (result.kind === 'done' && from.etag !== undefined && result.etag !== null) {
      followers.set(from.etag, result.etag);
    }
    return this.#record(order, action, result);
  }

  async #prepare<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
    { connectionId }: StoredAction,
    followers: ReplacedEtags,
  ): Promise<From | null> {
    const follow = (etag: string) => newestEtagOf(etag, followers);
    const from = await this.#ports.services.act(connectionId, (actions) =>
      order.prepare(actions, this.#closing.signal, follow),
    );
    if (this.#isClosed) throw new AppError('cancelled', 'The program is closing');
    return from;
  }

  async #request<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
    { connectionId }: StoredAction,
    from: From,
  ): Promise<ActionResult<Reply> | Other> {
    const { services, toFailure } = this.#ports;
    try {
      return await services.act(connectionId, (actions) =>
        order.send(actions, from, this.#closing.signal),
      );
    } catch (error) {
      // If the request throws, its outcome is unknown.
      return { kind: 'unknown', failure: toFailure(error, 'actions') };
    }
  }

  async #record<From extends ActionBasis, Reply, Other extends ChangedResult<unknown>>(
    order: ActionRequest<From, Reply, Other>,
    action: StoredAction,
    result: ActionResult<Reply> | Other,
  ): Promise<ActionOutcome<Reply> | Other> {
    const { actionJournal, services } = this.#ports;
    switch (result.kind) {
      case 'done': {
        const { reply, etag } = result;
        actionJournal.done(action, 'answer', order.revokedAt?.(reply) ?? null);
        if (action.kind === 'remove') this.#markDeleted(action);
        else await this.#refresh(action);
        return { kind: 'done', actionId: action.actionId, reply, wasAlready: false, etag };
      }
      case 'changed':
        actionJournal.refused(action, 'answer', result.failure);
        return result;
      case 'refused':
        // "Already done" is refused like any error: only the state at the service shows the
        // difference.
        if (isEndState(action) && (await this.#isSo(action))) {
          actionJournal.done(action, 'already');
          return alreadyDoneOutcome(action);
        }
        break;
      case 'unknown': {
        const failure = { ...result.failure, reason: 'outcome-unknown' } as const;
        actionJournal.unknown(action, 'answer', failure);
        if (!(await this.#isSo(action))) {
          return { kind: 'unknown', actionId: action.actionId, failure };
        }
        actionJournal.done(action, 'read-back');
        return { ...alreadyDoneOutcome(action), wasAlready: false };
      }
      case 'turned-away':
        services.note(action.connectionId, result.failure);
        break;
      case 'not-sent':
        actionJournal.refused(action, 'not-sent', result.failure);
        throw AppError.from(result.failure);
    }
    actionJournal.refused(action, 'answer', result.failure);
    throw AppError.from(result.failure);
  }

  /**
   * Whether the service shows that the action was done. If this read fails, the action keeps its
   * outcome.
   */
  async #isSo(action: StoredAction): Promise<boolean> {
    try {
      return await isProved(this.#ports, action, this.#closing.signal);
    } catch (error) {
      this.#ports.toFailure(error, 'actions.look');
      return false;
    }
  }

  async #refresh({ kind, connectionId, agreementId: id }: StoredAction): Promise<void> {
    if (id === null || kind === 'remind' || kind === 'share') return;
    const key: AgreementKey = { connectionId, id };
    try {
      await readFreshAgreement(this.#ports, key, this.#closing.signal);
    } catch (error) {
      this.#ports.toFailure(error, 'actions.refresh');
    }
  }

  /** Marks the local copy as deleted. The service confirmed the deletion, so no read is needed. */
  #markDeleted({ connectionId, agreementId: id }: StoredAction): void {
    if (id === null) return;
    const { stores, emit } = this.#ports;
    const key: AgreementKey = { connectionId, id };
    if (isKnown(stores.agreements, key)) stores.agreements.markGone(key, 'deleted');
    emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  }

  /**
   * Settles earlier attempts whose answers were lost, once an action has reached its end state.
   */
  #settleEarlier(action: StoredAction): void {
    if (!isEndState(action)) return;
    const { stores, actionJournal } = this.#ports;
    const target = targetOf(stores, action);
    for (const earlier of stores.actions.inState('unknown')) {
      if (targetOf(stores, earlier) === target) actionJournal.done(earlier, 'read-back');
    }
  }
}

/** Whether the action has an end state, which looks the same if it was reached earlier. */
function isEndState({ kind }: StoredAction): boolean {
  return ['revoke', 'remove', 'silence', 'reject', 'upload-remove'].includes(kind);
}

function alreadyDoneOutcome({ actionId }: StoredAction) {
  return { kind: 'done', actionId, reply: null, wasAlready: true, etag: null } as const;
}

/** Returns a text that is equal for two actions of which only one may run at a time. */
function targetOf(stores: Stores, what: NewAction): string {
  const { kind, partyId, notificationId, token, title } = what;
  const file = kind === 'upload-add' ? title : null;
  const parts = [kind, laneOf(stores, what), partyId, notificationId, token, file];
  return JSON.stringify(parts.map((part) => part ?? null));
}

/**
 * Returns the lane of an action. Actions on one agreement run one by one, across all connections to
 * its service; uploads run one by one per connection.
 */
function laneOf(stores: Stores, { connectionId, agreementId = null }: NewAction): string {
  const place =
    agreementId === null ? connectionId : servicesByConnection(stores).get(connectionId);
  return JSON.stringify([place, agreementId]);
}

/**
 * ETags that our own actions created while their lane was busy. The key is the ETag that each of
 * them replaced.
 */
export type ReplacedEtags = Map<string, string>;

interface Lane {
  readonly turns: Serial;
  readonly followers: ReplacedEtags;
}

/** Runs work in order of arrival within a lane; lanes are independent. */
class ActionLanes {
  readonly #lanes = new Map<string, Lane>();

  async follow<Result>(
    name: string,
    work: (followers: ReplacedEtags) => Promise<Result>,
  ): Promise<Result> {
    const lane: Lane = this.#lanes.get(name) ?? { turns: new Serial(), followers: new Map() };
    this.#lanes.set(name, lane);
    try {
      return await lane.turns.run(() => work(lane.followers));
    } finally {
      if (lane.turns.isIdle && this.#lanes.get(name) === lane) this.#lanes.delete(name);
    }
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ turns }) => turns.ended()));
  }
}

/** Returns the newest ETag that our own actions produced instead of `etag`. */
function newestEtagOf(etag: string, followers: ReadonlyMap<string, string>): string {
  let newest = etag;
  // At most one step per replacement, so that a repeated ETag cannot cause an endless loop.
  for (const _ of followers) newest = followers.get(newest) ?? newest;
  return newest;
}
