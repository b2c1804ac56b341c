import * as z from 'zod';
import { DraftId } from '../../../shared/model/ids.ts';

/** What a process of a desk does that shares with others: writes until it is killed, comes to rest, or reports. */
export const SharingOrder = z.object({
  folder: z.string(),
  keyfile: z.string(),
  at: z.number(),
  seed: z.number(),
  does: z.enum(['write', 'settle', 'report']),
  drafts: z.array(DraftId),
  /** A line for each text that the program said it has; then, where it reports, what there is. */
  file: z.string(),
});
export type SharingOrder = z.infer<typeof SharingOrder>;

/** What a desk has in the end. */
export const DeskReport = z.object({
  /** By the id of a draft that several work on: the texts in it. */
  shared: z.record(z.string(), z.array(z.string())),
  /** Of every draft here. */
  texts: z.array(z.string()),
  people: z.array(z.string()),
  questions: z.number(),
});
export type DeskReport = z.infer<typeof DeskReport>;
