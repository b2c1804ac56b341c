import type { Draft } from '../../contract/drafts.ts';
import { AppError } from '../../errors.ts';

/** Returns the draft if it may be edited. Throws 'draft-locked' while it is being sent. */
export function requireUnlocked<Some extends Pick<Draft, 'sending'>>(draft: Some): Some {
  if (draft.sending === null) return draft;
  throw new AppError('conflict', 'The draft is being sent and cannot be changed', {
    reason: 'draft-locked',
  });
}
