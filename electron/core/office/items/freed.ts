import type { Failure } from '../../../../shared/errors.ts';
import type { StoredItem } from '../../outbox/ports.ts';

/** Reason why the send of a shared draft waits for the user, after a user freed the draft. */
export const draftFreedFailure: Failure = {
  code: 'conflict',
  message:
    'Other computers in the office can now change, send and remove this draft. Check whether they did',
  reason: 'draft-freed',
};

/** Whether a send waits because other computers may now send its draft. */
export const isFreedSend = ({ state, reason }: Pick<StoredItem, 'state' | 'reason'>): boolean =>
  state === 'queued' && reason?.reason === draftFreedFailure.reason;
