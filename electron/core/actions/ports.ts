import type { ActionRow, ActionState, NewRecipient } from '../../../shared/contract/actions.ts';
import type { ActionId, AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { Lease } from '../turn-ports.ts';

/** What a change meant to reach, by which a later look recognises it. Epoch milliseconds. */
export interface ActionGoal {
  readonly expiresAt?: number | undefined;
  readonly deletesAt?: number | undefined;
  readonly address?: string | undefined;
  readonly recipients?: readonly NewRecipient[] | undefined;
  /** Addresses and numbers that a reminder or a share goes to, sorted, in small letters. */
  readonly to?: readonly string[] | undefined;
}

export interface StoredAction extends ActionRow {
  readonly goal: ActionGoal | null;
}

/** What a move of an action writes beside its state. */
export interface ActionMove {
  readonly to: ActionState;
  /**
   * Who or what moved it, for the journal; person and rule begin it. request: it leaves now. answer: the service said so.
   * not-sent: nothing of it left. already: the service refused it as done before. read-back, sync:
   * the service shows it. prepare: it was not to be sent. restart: the program ended meanwhile.
   */
  readonly cause: string;
  readonly failure?: Failure | null;
  readonly revokedAt?: number | null;
}

/** Keeps acts on one agreement to one computer where several of an office could do them. */
export interface ActGuard {
  /**
   * Before its request. Throws 'conflict': with 'claimed-elsewhere' where another desk did it or does it now,
   * with 'unsettled-elsewhere' where an earlier one has no known outcome, with 'lease-lost' where it belongs
   * to a task that is another desk's by now. Throws 'offline' with 'office-away'.
   */
  claim(action: StoredAction, lease?: Lease | null): Promise<void>;
  /** It has an outcome, which is not waited for here. */
  ended(action: StoredAction): void;
}

/** Every method commits to disk before it returns. */
export interface ActionStore {
  /** Those touched at or after `since` and those not ended, newest first. */
  list(
    filter: { readonly connectionId?: ConnectionId; readonly agreementId?: AgreementId },
    since: number,
  ): readonly StoredAction[];
  has(id: ActionId): boolean;
  /** Throws 'not-found'. */
  get(id: ActionId): StoredAction;
  insert(action: StoredAction): void;
  /** Moves an action that is in `from`; false when it is not there any more. */
  move(id: ActionId, from: readonly ActionState[], move: ActionMove, at: number): boolean;
  inState(state: ActionState): readonly StoredAction[];
  /** Who or what moved it last. Throws 'not-found'. */
  lastCause(id: ActionId): string;
}
