import * as z from 'zod';
import { call } from '../call.ts';
import { AgreementKey, IdentityId, Instant, Nothing } from '../../model/ids.ts';

const Words = z.string().trim().max(500);

/** What a seat asks another one to approve before it signs. */
export const OfficeApproval = z.object({
  id: z.uuid(),
  /** Null when this desk cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  /** Name of the seat. */
  asker: z.string(),
  /** This seat asked. */
  isOwn: z.boolean(),
  askedAt: Instant,
  /** As this desk reaches it; null where no connection here does, or nothing was read of it yet. */
  agreement: AgreementKey.nullable(),
  /** Whether the very same documents were reviewed here. */
  isReviewed: z.boolean(),
  decision: z
    .object({
      isApproved: z.boolean(),
      /** Who decided, and the name of their seat. */
      person: z.string(),
      seat: z.string(),
      reason: z.string(),
      at: Instant,
    })
    .nullable(),
});
export type OfficeApproval = z.infer<typeof OfficeApproval>;

export const officeApprovalCalls = {
  /** Throws 'conflict' with 'not-reviewed'; a second request takes the place of the first. */
  'office.askApproval': call(AgreementKey.extend({ note: Words }), Nothing),
  /** What others ask, and what this seat asked in the last 30 days; none while in no office. */
  'office.approvals': call(Nothing, z.array(OfficeApproval)),
  /**
   * Approves what was reviewed here, or declines. Throws 'conflict' with 'not-reviewed' or
   * 'documents-changed', 'forbidden' for a seat that may not sign, 'not-found' where it was decided.
   */
  'office.decide': call(
    z.object({ id: z.uuid(), identityId: IdentityId, isApproved: z.boolean(), reason: Words }),
    Nothing,
  ),
} as const;
