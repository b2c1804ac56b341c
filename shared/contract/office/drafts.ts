import * as z from 'zod';
import { call } from '../call.ts';
import { DraftId, EmptyObject } from '../../model/ids.ts';

/** A draft shared by several computers, or this computer's own version of such a draft. */
export const OfficeDraft = z.object({
  draft: DraftId,
  /** User who edits or sends the draft now; null if no one does. */
  editor: z.string().nullable(),
  /** Whether the draft is edited or sent on this computer. */
  isOwn: z.boolean(),
  /** Whether the editor's computer is sending the draft. */
  isSending: z.boolean(),
  /**
   * User who changed the draft at the same time, and whose version is the shared one; the version
   * of `draft` is only on this computer. Null if the version of `draft` is the shared one.
   */
  keptBeside: z.string().nullable(),
});
export type OfficeDraft = z.infer<typeof OfficeDraft>;

export const officeDraftCalls = {
  /**
   * Starts or stops sharing the draft. When sharing stops, the draft is moved to the trash of other
   * computers. Throws 'offline', and 'forbidden' for a user who may not see personal numbers.
   */
  'office.together': call(z.object({ draft: DraftId, isTogether: z.boolean() }), EmptyObject),
  /** Lists the shared drafts; empty without an office. Throws 'offline'. */
  'office.drafts': call(EmptyObject, z.array(OfficeDraft)),
  /** Ends editing on this computer, so that others can edit the draft immediately. */
  'office.leaveDraft': call(z.object({ draft: DraftId }), EmptyObject),
  /**
   * Records the user's decision that the computer that was to send the draft no longer does:
   * everyone may edit and send it again. If that computer returns and sends the draft, its claim
   * conflicts with later sends. Throws 'conflict' with 'claim-moves' if that computer was seen
   * within 15 minutes, and with 'unsettled-elsewhere' if the draft may have been sent and the
   * outcome is unresolved.
   */
  'office.freeDraft': call(z.object({ draft: DraftId }), EmptyObject),
} as const;
