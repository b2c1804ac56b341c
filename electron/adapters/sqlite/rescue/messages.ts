import * as z from 'zod';
import { RescueReport } from '../../../../shared/contract/backup.ts';
import { EvidenceHole } from '../../../../shared/contract/evidence.ts';
import { Failure } from '../../../../shared/errors.ts';
import type { Salvage } from '../../../core/restore-ports.ts';

/** What the thread is begun for; it ends with it. */
export const RescueTask = z.object({
  file: z.string(),
  key: z.instanceof(Uint8Array),
  into: z.string(),
  now: z.number(),
});

export const RescueReply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pages'), done: z.number(), all: z.number() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), failure: Failure.nullable(), stack: z.string() }),
]);
export type RescueReply = z.infer<typeof RescueReply>;

export const Saved: z.ZodType<Salvage> = RescueReport.omit({
  isIntact: true,
  counts: true,
}).extend({ unread: z.array(EvidenceHole) });
