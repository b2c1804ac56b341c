import type { StoredAction } from '../actions/ports.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { OperationState } from './ports.ts';

/** What is reported to the office of a row of the outbox. */
export function stateOf({ state, verify }: Pick<StoredItem, 'state' | 'verify'>): OperationState {
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
      // A scan has yet to confirm that a service which refused did nothing.
      return verify ? 'unknown' : 'released';
    case 'cancelled':
      return 'released';
    case 'abandoned':
      return 'given-up';
  }
}

/** What is reported to the office of an act. */
export function stateOfAction({ state }: Pick<StoredAction, 'state'>): OperationState {
  switch (state) {
    case 'queued':
    case 'sending':
      return 'claimed';
    case 'done':
      return 'done';
    case 'unknown':
      return 'unknown';
    case 'refused':
      return 'released';
  }
}
