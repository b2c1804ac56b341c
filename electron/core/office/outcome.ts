import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { StoredAction } from '../actions/ports.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { LostOperation, OperationState } from './ports.ts';
import { isUnproved } from '../outbox/machine.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** What is reported to the office of a row of the outbox. */
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
      // A scan has yet to confirm that a service which refused did nothing. Where none could, a person decides who
      // sees it.
      if (verify) return 'unknown';
      return isUnproved(item) ? 'given-up' : 'released';
    case 'cancelled':
      return 'released';
    case 'abandoned':
      return 'given-up';
  }
}

/** Acts that may be done again after a day; sooner, a person looks at who did it. */
const REPEATED: readonly ActionKind[] = ['remind', 'share'];
const REPEATED_AFTER = DAY;

export const isRepeated = (kind: ActionKind): boolean => REPEATED.includes(kind);
export const isLongAgo = (age: number): boolean => age > REPEATED_AFTER;

type KnownAction = Pick<StoredAction, 'state' | 'kind' | 'createdAt'>;
/** One whose request left. */
type LeftAction = KnownAction & { readonly state: 'done' | 'unknown' };

/**
 * What is reported to the office of an act. Nothing ever proves what became of a reminder or a share: one that
 * no longer keeps anybody from the next is not waited for either.
 */
export function stateOfAction(action: LeftAction, now: number): LostOperation['state'];
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
