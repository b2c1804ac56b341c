import * as z from 'zod';
import { call } from '../call.ts';
import { SeatId } from './office.ts';
import { BatchId, DraftId, Instant, Nothing, OutboxRef } from '../../model/ids.ts';

const HandoverNote = z.string().trim().max(500);

/** A question is a send of which nobody knows what became of it: whoever takes it decides. */
export const HandoverKind = z.enum(['draft', 'batch', 'question']);
export type HandoverKind = z.infer<typeof HandoverKind>;

/** What can be given to another seat. */
export const HandoverItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft'), id: DraftId }),
  z.object({ kind: z.literal('batch'), id: BatchId }),
  z.object({ kind: z.literal('question'), id: OutboxRef }),
]);
export type HandoverItem = z.infer<typeof HandoverItem>;

/** Something that one seat gives to another, and that nobody has taken yet. */
export const OfficeHandover = z.object({
  id: z.uuid(),
  kind: HandoverKind,
  /** Null when this desk cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  /** Names of the seats. */
  from: z.string(),
  to: z.string(),
  givenAt: Instant,
  /** This seat gave it, and can take it back. */
  isOwn: z.boolean(),
});
export type OfficeHandover = z.infer<typeof OfficeHandover>;

export const officeHandoverCalls = {
  /**
   * Gives it to a seat. A draft goes into the trash here, with a batch nothing is left; of one in the outbox
   * what waits is stopped here first, and given. A question stays until it is taken. Throws 'offline';
   * 'forbidden' where that seat may not see the personal numbers in it.
   */
  'office.handOver': call(
    z.object({ what: HandoverItem, seat: SeatId, note: HandoverNote }),
    Nothing,
  ),
  /** What waits for this seat, and what it gave; none while this desk is in no office. */
  'office.handovers': call(Nothing, z.array(OfficeHandover)),
  /** Makes it this desk's. Throws 'not-found' where another desk was faster. */
  'office.take': call(z.object({ id: z.uuid() }), HandoverItem),
} as const;
