import * as z from 'zod';
import { RescueReport } from '../../../../shared/contract/backup.ts';
import { EvidenceHole } from '../../../../shared/contract/evidence.ts';
import type { Salvage } from '../../../core/restore-ports.ts';

/** What the thread is begun for; it ends with it. */
export const RescueTask = z.object({
  file: z.string(),
  key: z.instanceof(Uint8Array),
  into: z.string(),
  now: z.number(),
});
export type RescueTask = z.infer<typeof RescueTask>;

/** How far it is. */
export const PagesRead = z.object({ done: z.number(), all: z.number() });
export type PagesRead = z.infer<typeof PagesRead>;

export const Saved: z.ZodType<Salvage> = RescueReport.omit({
  isIntact: true,
  counts: true,
}).extend({ unread: z.array(EvidenceHole) });
