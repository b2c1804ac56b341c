import type { ActionRow, ActionState, NewRecipient } from '../../../shared/contract/actions.ts';
import type { ActionId, AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { Lease } from '../turn-ports.ts';

/** Intended result of a change, used to recognize it in a later read. Times are epoch ms. */
export interface ActionGoal {
  readonly expiresAt?: number | undefined;
  readonly deletesAt?: number | undefined;
  readonly address?: string | undefined;
  readonly recipients?: readonly NewRecipient[] | undefined;
  /** Addresses and numbers that receive a reminder or a share, sorted, in lower case. */
  readonly to?: readonly string[] | undefined;
}

export interface StoredAction extends ActionRow {
  readonly goal: ActionGoal | null;
}

/** Values written with a change of state. */
export interface ActionStateChange {
  readonly to: ActionState;
  /**
   * Cause of the change, for the journal. `person`, `rule`: a user or a rule started the action.
   * `request`: the request is sent now. `answer`: the service reported the result in its answer.
   * `not-sent`: no request was sent. `already`: the service refused the action as already done.
   * `read-back`, `sync`: a later read of the service shows the result. `prepare`: the action was
   * rejected before sending. `restart`: the program ended in between.
   */
  readonly cause: string;
  readonly failure?: Failure | null;
  readonly revokedAt?: number | null;
}

/** Restricts actions on one agreement to one computer if several of an office could do them. */
export interface ActionGuard {
  /**
   * Called before the request. Throws 'conflict': with 'claimed-elsewhere' if another computer did
   * the action or is doing it, with 'unsettled-elsewhere' if an earlier action has an unknown
   * outcome, with 'lease-lost' if the action belongs to a task that another computer has taken
   * over. Throws 'offline' with 'office-away'.
   */
  claim(action: StoredAction, lease?: Lease | null): Promise<void>;
  /** Reports the outcome; the caller does not wait for it. */
  ended(action: StoredAction): void;
}

/** Every method commits to disk before it returns. */
export interface ActionStore {
  /** Actions changed at or after `since` and unfinished ones, newest first. */
  list(
    filter: { readonly connectionId?: ConnectionId; readonly agreementId?: AgreementId },
    since: number,
  ): readonly StoredAction[];
  has(id: ActionId): boolean;
  /** Throws 'not-found'. */
  get(id: ActionId): StoredAction;
  insert(action: StoredAction): void;
  /** Moves an action that is in one of the states `from`; false if it no longer is. */
  move(id: ActionId, from: readonly ActionState[], move: ActionStateChange, at: number): boolean;
  inState(state: ActionState): readonly StoredAction[];
  /** Returns the cause of the action's last change. Throws 'not-found'. */
  lastCause(id: ActionId): string;
}
