import * as z from 'zod';
import { DraftId } from '../../../shared/model/ids.ts';

/**
 * Instructions for the process of a computer that shares data. `does` says whether it writes until
 * it is killed, settles, or reports its data.
 */
export const SharingOrder = z.object({
  folder: z.string(),
  keyfile: z.string(),
  at: z.number(),
  seed: z.number(),
  does: z.enum(['write', 'settle', 'report']),
  drafts: z.array(DraftId),
  /**
   * File with a line for each text that was reported as stored; for a report, also with the final
   * data.
   */
  file: z.string(),
});
export type SharingOrder = z.infer<typeof SharingOrder>;

/** Data of a computer at the end. */
export const DeskReport = z.object({
  /** Texts by the id of the shared draft. */
  shared: z.record(z.string(), z.array(z.string())),
  /** Texts of every draft of the computer. */
  texts: z.array(z.string()),
  people: z.array(z.string()),
  questions: z.number(),
});
export type DeskReport = z.infer<typeof DeskReport>;
