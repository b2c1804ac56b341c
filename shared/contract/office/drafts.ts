import * as z from 'zod';
import { call } from '../call.ts';
import { DraftId, Nothing } from '../../model/ids.ts';

/** A draft that several desks work on, or the other version of one. */
export const OfficeDraft = z.object({
  draft: DraftId,
  /** Who writes it now, or sends it; null: nobody. */
  editor: z.string().nullable(),
  /** That is this desk. */
  isOwn: z.boolean(),
  /** It is being sent there. */
  isSending: z.boolean(),
  /**
   * This seat wrote the draft at the same time, and its version is worked on; this one is of this desk alone.
   * Null: it is worked on together.
   */
  keptBeside: z.string().nullable(),
});
export type OfficeDraft = z.infer<typeof OfficeDraft>;

export const officeDraftCalls = {
  /**
   * From now on other desks work on it too, or no more: it goes into the trash there then. Throws 'offline',
   * and 'forbidden' at a seat that may not see personal numbers.
   */
  'office.together': call(z.object({ draft: DraftId, isTogether: z.boolean() }), Nothing),
  /** Empty while this desk is in no office. Throws 'offline'. */
  'office.drafts': call(Nothing, z.array(OfficeDraft)),
  /** Nobody here writes it any more: others may at once. */
  'office.leaveDraft': call(z.object({ draft: DraftId }), Nothing),
  /**
   * A person decides that the desk which was to send it does so no more: everybody may write and send it again. Should
   * that desk come back and still send it, its claim meets what was sent meanwhile. Throws 'conflict' with
   * 'claim-moves' where that desk was seen within 15 minutes, and with 'unsettled-elsewhere' where it may have
   * been sent and nobody has settled that.
   */
  'office.freeDraft': call(z.object({ draft: DraftId }), Nothing),
} as const;
