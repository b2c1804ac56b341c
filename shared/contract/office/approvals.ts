import * as z from 'zod';
import { call } from '../call.ts';
import { AgreementKey, IdentityId, Instant, EmptyObject } from '../../model/ids.ts';

const ApprovalNote = z.string().trim().max(500);

/** A user's request that another user approves, before the signature. */
export const OfficeApproval = z.object({
  id: z.uuid(),
  /** Title of the agreement; null if this computer cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  asker: z.string(),
  /** Whether this user made the request. */
  isOwn: z.boolean(),
  askedAt: Instant,
  /**
   * Key of the agreement on this computer; null if no connection of this computer reaches the
   * agreement, or if it was not read yet.
   */
  agreement: AgreementKey.nullable(),
  /** Whether exactly the same documents were reviewed on this computer. */
  isReviewed: z.boolean(),
  decision: z
    .object({
      isApproved: z.boolean(),
      /** Person who decided, and name of their user (`seat`). */
      person: z.string(),
      seat: z.string(),
      reason: z.string(),
      at: Instant,
    })
    .nullable(),
});
export type OfficeApproval = z.infer<typeof OfficeApproval>;

export const officeApprovalCalls = {
  /**
   * Requests an approval; a second request replaces the first. Throws 'conflict' with
   * 'not-reviewed'.
   */
  'office.askApproval': call(AgreementKey.extend({ note: ApprovalNote }), EmptyObject),
  /**
   * Lists the requests of other users, and this user's own requests of the last 30 days; empty
   * without an office.
   */
  'office.approvals': call(EmptyObject, z.array(OfficeApproval)),
  /**
   * Approves documents that were reviewed on this computer, or declines them. Throws 'conflict'
   * with 'not-reviewed' or 'documents-changed', 'forbidden' for a user who may not sign,
   * 'not-found' if the request was already decided.
   */
  'office.decide': call(
    z.object({
      id: z.uuid(),
      identityId: IdentityId,
      isApproved: z.boolean(),
      reason: ApprovalNote,
    }),
    EmptyObject,
  ),
} as const;
