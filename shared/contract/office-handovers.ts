import * as z from 'zod';
import { call } from './call.ts';
import { SeatId } from './office.ts';
import { DraftId, Instant, Nothing } from '../model/ids.ts';

const HandoverNote = z.string().trim().max(500);

/** A draft that one seat gives to another, and that nobody has taken yet. */
export const OfficeHandover = z.object({
  id: z.uuid(),
  title: z.string(),
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
  /** Gives a draft with its files to a seat; here it goes into the trash. Throws 'offline'. */
  'office.handOver': call(z.object({ draft: DraftId, seat: SeatId, note: HandoverNote }), Nothing),
  /** What waits for this seat, and what it gave; none while this desk is in no office. */
  'office.handovers': call(Nothing, z.array(OfficeHandover)),
  /** Makes it a draft of this desk. Throws 'not-found' where another desk was faster. */
  'office.take': call(z.object({ id: z.uuid() }), z.object({ draft: DraftId })),
} as const;
