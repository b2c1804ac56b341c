import * as z from 'zod';
import { call } from '../call.ts';
import { DraftId, EmptyObject } from '../../model/ids.ts';

/** A draft shared by several computers, or the other version of one. */
export const OfficeDraft = z.object({
  draft: DraftId,
  /** User who edits or sends it now; null: no one. */
  editor: z.string().nullable(),
  /** The editor is this computer. */
  isOwn: z.boolean(),
  /** The editor's computer is sending it. */
  isSending: z.boolean(),
  /**
   * User who wrote the draft at the same time, and whose version is the shared one; this version is
   * only on this computer. Null: it is the shared one.
   */
  keptBeside: z.string().nullable(),
});
export type OfficeDraft = z.infer<typeof OfficeDraft>;

export const officeDraftCalls = {
  /**
   * Starts or stops sharing the draft; when sharing stops, it goes into the trash of other
   * computers. Throws 'offline', and 'forbidden' for a user who may not see personal numbers.
   */
  'office.together': call(z.object({ draft: DraftId, isTogether: z.boolean() }), EmptyObject),
  /** Empty without an office. Throws 'offline'. */
  'office.drafts': call(EmptyObject, z.array(OfficeDraft)),
  /** Ends editing here, so that others can edit it immediately. */
  'office.leaveDraft': call(z.object({ draft: DraftId }), EmptyObject),
  /**
   * The user decides that the computer that was to send it no longer does: everyone may edit and
   * send it again. If that computer comes back and sends it, its claim conflicts with later sends.
   * Throws 'conflict' with 'claim-moves' if that computer was seen within 15 minutes, and with
   * 'unsettled-elsewhere' if it may have been sent and the outcome is unresolved.
   */
  'office.freeDraft': call(z.object({ draft: DraftId }), EmptyObject),
} as const;
