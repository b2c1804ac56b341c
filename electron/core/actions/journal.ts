import { ActionId, type AgreementKey, type ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import { isActionProvedBy } from './verify.ts';
import type { ActionGuard, StoredAction } from './ports.ts';
import type { EvidenceIntents } from '../evidence/intents.ts';
import type { Chance, Clock, Stores } from '../ports.ts';
import { isKnown } from '../services/fresh-copy.ts';

export type NewAction = Pick<StoredAction, 'kind' | 'connectionId'> &
  Partial<
    Pick<
      StoredAction,
      'agreementId' | 'title' | 'partyId' | 'notificationId' | 'token' | 'rule' | 'goal'
    >
  >;

interface JournalPorts {
  readonly stores: Pick<Stores, 'actions' | 'agreements'>;
  /** Settles the evidence when an action's row changes. */
  readonly intents: Pick<EvidenceIntents, 'settle'>;
  /** Reports the outcome of an action to the office. */
  readonly acts: Pick<ActionGuard, 'ended'>;
  /** Called after a change at the service that other copies must read too. */
  readonly onDone: (id: ConnectionId) => void;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

const interruptedFailure: Failure = {
  code: 'conflict',
  message:
    'The program ended before the service answered. It is not known whether this action was done',
  reason: 'outcome-unknown',
};
const neverSentFailure: Failure = {
  code: 'cancelled',
  message: 'The program ended before this action was sent, so nothing was changed',
};

/** Keeps the written record of actions; sends nothing. */
export class ActionJournal {
  readonly #ports: JournalPorts;
  readonly #own = new Set<ActionId>();

  constructor(ports: JournalPorts) {
    this.#ports = ports;
  }

  open(what: NewAction): StoredAction {
    const { stores, clock, chance, emit } = this.#ports;
    const at = clock.now();
    const action: StoredAction = {
      agreementId: null,
      title: '',
      partyId: null,
      notificationId: null,
      token: null,
      rule: null,
      goal: null,
      failure: null,
      revokedAt: null,
      ...what,
      actionId: ActionId.parse(chance.uuid()),
      state: 'queued',
      createdAt: at,
      updatedAt: at,
    };
    this.#own.add(action.actionId);
    stores.actions.insert(action);
    emit('actions.changed', { connectionId: action.connectionId });
    return action;
  }

  /** Records that the request is sent now; false if the action is no longer queued. */
  claim({ actionId, connectionId }: StoredAction): boolean {
    const { stores, clock, emit } = this.#ports;
    const claim = { to: 'sending', cause: 'request' } as const;
    const isOurs = stores.actions.move(actionId, ['queued'], claim, clock.now());
    if (isOurs) emit('actions.changed', { connectionId });
    return isOurs;
  }

  done(action: StoredAction, cause: string, revokedAt: number | null = null): void {
    const revoked = revokedAt === null ? {} : { revokedAt };
    this.#end(action, { to: 'done', cause, failure: null, ...revoked });
  }

  refused(action: StoredAction, cause: string, failure: Failure): void {
    this.#end(action, { to: 'refused', cause, failure });
  }

  unknown(action: StoredAction, cause: string, failure: Failure): void {
    this.#end(action, { to: 'unknown', cause, failure });
  }

  /**
   * Ends the unfinished actions of other processes. Those processes have ended, because only the
   * holder of the lock calls this method.
   */
  recover(): void {
    const { actions } = this.#ports.stores;
    const isForeign = ({ actionId }: StoredAction) => !this.#own.has(actionId);
    for (const action of actions.inState('sending').filter(isForeign)) {
      this.unknown(action, 'restart', interruptedFailure);
    }
    for (const action of actions.inState('queued').filter(isForeign)) {
      this.refused(action, 'restart', neverSentFailure);
    }
  }

  /** Settles actions of unknown outcome if newer local copies prove that they were done. */
  linkToAgreements(connectionId: ConnectionId): void {
    const { actions, agreements } = this.#ports.stores;
    for (const action of actions.inState('unknown')) {
      const { agreementId: id } = action;
      if (action.connectionId !== connectionId || id === null) continue;
      const copy = findStoredAgreement(agreements, { connectionId, id });
      if (copy === null) continue;
      const seen = copy.gone === 'deleted' ? null : copy;
      const isNewer = copy.readAt >= action.updatedAt || copy.gone === 'deleted';
      if (isNewer && isActionProvedBy(action, seen)) this.done(action, 'sync');
    }
  }

  #end(action: StoredAction, move: Parameters<Stores['actions']['move']>[2]): void {
    const { stores, intents, acts, clock, emit, onDone } = this.#ports;
    const { actionId, connectionId } = action;
    if (!stores.actions.move(actionId, ['queued', 'sending', 'unknown'], move, clock.now())) return;
    intents.settle(actionId);
    acts.ended(action);
    if (move.to === 'done') onDone(connectionId);
    emit('actions.changed', { connectionId });
  }
}

function findStoredAgreement(agreements: Stores['agreements'], key: AgreementKey) {
  return isKnown(agreements, key) ? agreements.details(key) : null;
}
