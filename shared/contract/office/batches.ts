import * as z from 'zod';
import { BatchProgress } from '../batches.ts';
import { call } from '../call.ts';
import { BatchId, Instant, EmptyObject } from '../../model/ids.ts';

/** Numbers of a batch in the outbox of one computer, as shown on other computers. */
export const OfficeBatchNumbers = BatchProgress.pick({
  rows: true,
  sent: true,
  refused: true,
  unknown: true,
  waiting: true,
  stopped: true,
  needsPerson: true,
  gate: true,
}).extend({
  title: z.string(),
  /** Earlier versions of the program include these rows in `unknown`. */
  givenUp: BatchProgress.shape.givenUp.default(0),
});
export type OfficeBatchNumbers = z.infer<typeof OfficeBatchNumbers>;

export const OfficeBatch = OfficeBatchNumbers.extend({
  /** Title of the batch; null if this computer cannot read it: its numbers are then 0. */
  title: z.string().nullable(),
  batch: BatchId,
  /** Name of the user of the batch's computer. */
  seat: z.string(),
  desk: z.uuid(),
  /** Time at which the computer last reported the numbers. */
  at: Instant,
  isThisDesk: z.boolean(),
});
export type OfficeBatch = z.infer<typeof OfficeBatch>;

export const officeBatchCalls = {
  /**
   * Lists the batches of the last seven days, most recently changed first; empty without an office.
   * Throws 'offline'.
   */
  'office.batches': call(EmptyObject, z.array(OfficeBatch)),
} as const;
