import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { StoredAction } from '../actions/ports.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { LostOperation, OperationState } from './ports.ts';
import { isUnproved } from '../outbox/machine.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** State of an outbox row as reported to the office. */
export function stateOf(item: Pick<StoredItem, 'state' | 'verify' | 'track'>): OperationState {
  const { state, verify } = item;
  switch (state) {
    case 'queued':
    case 'sending':
      return 'claimed';
    case 'sent':
      return 'done';
    case 'unknown':
    case 'absent':
    case 'human':
    case 'duplicate':
      return 'unknown';
    case 'rejected':
      // A scan still has to confirm that the service did nothing although it rejected the request.
      // If no scan could, a user who sees this decides.
      if (verify) return 'unknown';
      return isUnproved(item) ? 'given-up' : 'released';
    case 'cancelled':
      return 'released';
    case 'abandoned':
      return 'given-up';
  }
}

/** Acts that may be repeated after a day. Before that, the user checks who did it. */
const REPEATABLE_ACTIONS: readonly ActionKind[] = ['remind', 'share'];
const REPEATABLE_AFTER_MS = DAY;

export const isRepeated = (kind: ActionKind): boolean => REPEATABLE_ACTIONS.includes(kind);
export const isLongAgo = (age: number): boolean => age > REPEATABLE_AFTER_MS;

type KnownAction = Pick<StoredAction, 'state' | 'kind' | 'createdAt'>;
/** An act whose request was sent. */
type SentAction = KnownAction & { readonly state: 'done' | 'unknown' };

/**
 * State of an act as reported to the office. The outcome of a reminder or a share can never be
 * proven; once it no longer blocks a repetition, it counts as abandoned.
 */
export function stateOfAction(action: SentAction, now: number): LostOperation['state'];
export function stateOfAction(action: KnownAction, now: number): OperationState;
export function stateOfAction(
  { state, kind, createdAt }: KnownAction,
  now: number,
): OperationState {
  switch (state) {
    case 'queued':
    case 'sending':
      return 'claimed';
    case 'done':
      return 'done';
    case 'unknown':
      return isRepeated(kind) && isLongAgo(now - createdAt) ? 'given-up' : 'unknown';
    case 'refused':
      return 'released';
  }
}
