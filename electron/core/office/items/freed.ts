import type { Failure } from '../../../../shared/errors.ts';
import type { StoredItem } from '../../outbox/ports.ts';

/** Why a send of a shared draft waits for a person. */
export const draftFreed: Failure = {
  code: 'conflict',
  message:
    'Other computers in the office can now change, send and remove this draft. Check whether they did',
  reason: 'draft-freed',
};

/** Whether a send waits since other desks may send its draft. */
export const isFreed = ({ state, reason }: Pick<StoredItem, 'state' | 'reason'>): boolean =>
  state === 'queued' && reason?.reason === draftFreed.reason;
