import * as z from 'zod';
import { BatchProgress } from '../batches.ts';
import { call } from '../call.ts';
import { BatchId, Instant, EmptyObject } from '../../model/ids.ts';

/** Numbers of an armed batch, as shown on other computers. */
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

export const OfficeBatch = OfficeBatchNumbers.extend({
  /** Null if this computer cannot read it: its numbers are 0 then. */
  title: z.string().nullable(),
  batch: BatchId,
  /** Name of that computer's user. */
  seat: z.string(),
  desk: z.uuid(),
  /** Time of the last report. */
  at: Instant,
  isThisDesk: z.boolean(),
});
export type OfficeBatch = z.infer<typeof OfficeBatch>;

export const officeBatchCalls = {
  /**
   * Batches of the last seven days, most recently changed first; empty without an office. Throws
   * 'offline'.
   */
  'office.batches': call(EmptyObject, z.array(OfficeBatch)),
} as const;
