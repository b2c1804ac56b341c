import * as z from 'zod';
import { call } from '../call.ts';
import { OfficeUserId } from './office.ts';
import { BatchId, DraftId, Instant, EmptyObject, OutboxRef } from '../../model/ids.ts';

const HandoverNote = z.string().trim().max(500);

/** A question is a send with an unknown outcome: the user who takes it decides. */
export const HandoverKind = z.enum(['draft', 'batch', 'question']);
export type HandoverKind = z.infer<typeof HandoverKind>;

/** Items that can be given to another user. */
export const HandoverItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft'), id: DraftId }),
  z.object({ kind: z.literal('batch'), id: BatchId }),
  z.object({ kind: z.literal('question'), id: OutboxRef }),
]);
export type HandoverItem = z.infer<typeof HandoverItem>;

/** An item that one user gave to another, and that is not taken yet. */
export const OfficeHandover = z.object({
  id: z.uuid(),
  kind: HandoverKind,
  /** Null if this computer cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  /** Names of the users. */
  from: z.string(),
  to: z.string(),
  givenAt: Instant,
  /** This user gave it and can cancel the handover. */
  isOwn: z.boolean(),
});
export type OfficeHandover = z.infer<typeof OfficeHandover>;

export const officeHandoverCalls = {
  /**
   * Gives it to a user. A draft goes into the trash here; a batch leaves nothing here. A batch in
   * the outbox is stopped first, and its pending rows are given. A question stays until it is
   * taken. Throws 'offline'; 'forbidden' if that user may not see the personal numbers in it.
   */
  'office.handOver': call(
    z.object({ what: HandoverItem, seat: OfficeUserId, note: HandoverNote }),
    EmptyObject,
  ),
  /** Items that wait for this user, and items this user gave; empty without an office. */
  'office.handovers': call(EmptyObject, z.array(OfficeHandover)),
  /** Moves it to this computer. Throws 'not-found' if another computer was faster. */
  'office.take': call(z.object({ id: z.uuid() }), HandoverItem),
} as const;
