import * as z from 'zod';
import { BatchProgress } from '../batches.ts';
import { call } from '../call.ts';
import { BatchId, Instant, Nothing } from '../../model/ids.ts';

/** A batch that was put into an outbox, as far as other desks are shown it. */
export const OfficeBatchNumbers = BatchProgress.pick({
  rows: true,
  sent: true,
  refused: true,
  unknown: true,
  waiting: true,
  stopped: true,
  needsPerson: true,
  gate: true,
}).extend({ title: z.string() });
export type OfficeBatchNumbers = z.infer<typeof OfficeBatchNumbers>;

/** How far it is at one desk. */
export const OfficeBatch = OfficeBatchNumbers.extend({
  /** Null when this desk cannot read it: its numbers are 0 then. */
  title: z.string().nullable(),
  batch: BatchId,
  /** Who sits there. */
  seat: z.string(),
  desk: z.uuid(),
  /** When it was heard of last. */
  at: Instant,
  isThisDesk: z.boolean(),
});
export type OfficeBatch = z.infer<typeof OfficeBatch>;

export const officeBatchCalls = {
  /** Of the last seven days, what changed last first; empty while this desk is in no office. Throws 'offline'. */
  'office.batches': call(Nothing, z.array(OfficeBatch)),
} as const;
