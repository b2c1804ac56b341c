import * as z from 'zod';
import { call } from '../call.ts';
import { OfficeUserId } from './office.ts';
import { BatchId, DraftId, Instant, EmptyObject, OutboxRef } from '../../model/ids.ts';

const HandoverNote = z.string().trim().max(500);

/**
 * Kind of an item to hand over. A `question` is a send with an unknown outcome, about which the
 * user who accepts it decides.
 */
export const HandoverKind = z.enum(['draft', 'batch', 'question']);
export type HandoverKind = z.infer<typeof HandoverKind>;

/** Items that can be given to another user. */
export const HandoverItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft'), id: DraftId }),
  z.object({ kind: z.literal('batch'), id: BatchId }),
  z.object({ kind: z.literal('question'), id: OutboxRef }),
]);
export type HandoverItem = z.infer<typeof HandoverItem>;

/** An item that one user gave to another, who has not accepted it yet. */
export const OfficeHandover = z.object({
  id: z.uuid(),
  kind: HandoverKind,
  /** Title of the item; null if this computer cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  /** Names of the users who give and who receive the item. */
  from: z.string(),
  to: z.string(),
  givenAt: Instant,
  /** Whether this user gave the item and can cancel the handover. */
  isOwn: z.boolean(),
});
export type OfficeHandover = z.infer<typeof OfficeHandover>;

export const officeHandoverCalls = {
  /**
   * Gives an item to another user. A draft is moved to the trash of this computer; a batch is
   * removed from it. A batch in the outbox is stopped first, and only its pending rows are given. A
   * question stays until the other user accepts it. Throws 'offline'; 'forbidden' if that user may
   * not see the personal numbers in the item.
   */
  'office.handOver': call(
    z.object({ what: HandoverItem, seat: OfficeUserId, note: HandoverNote }),
    EmptyObject,
  ),
  /**
   * Lists the items that wait for this user, and those that this user gave; empty without an
   * office.
   */
  'office.handovers': call(EmptyObject, z.array(OfficeHandover)),
  /** Moves the item to this computer. Throws 'not-found' if another computer was faster. */
  'office.take': call(z.object({ id: z.uuid() }), HandoverItem),
} as const;
