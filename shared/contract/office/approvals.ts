import * as z from 'zod';
import { call } from '../call.ts';
import { AgreementKey, IdentityId, Instant, EmptyObject } from '../../model/ids.ts';

const ApprovalNote = z.string().trim().max(500);

/** A user's request that another user approves, before the signature. */
export const OfficeApproval = z.object({
  id: z.uuid(),
  /** Null if this computer cannot read it. */
  title: z.string().nullable(),
  note: z.string(),
  asker: z.string(),
  /** This user asked. */
  isOwn: z.boolean(),
  askedAt: Instant,
  /** Key on this computer; null if no connection here reaches it, or it was not read yet. */
  agreement: AgreementKey.nullable(),
  /** Whether exactly the same documents were reviewed here. */
  isReviewed: z.boolean(),
  decision: z
    .object({
      isApproved: z.boolean(),
      /** Person who decided, and the name of their user. */
      person: z.string(),
      seat: z.string(),
      reason: z.string(),
      at: Instant,
    })
    .nullable(),
});
export type OfficeApproval = z.infer<typeof OfficeApproval>;

export const officeApprovalCalls = {
  /** Throws 'conflict' with 'not-reviewed'; a second request replaces the first. */
  'office.askApproval': call(AgreementKey.extend({ note: ApprovalNote }), EmptyObject),
  /** Requests of others, and this user's own of the last 30 days; empty without an office. */
  'office.approvals': call(EmptyObject, z.array(OfficeApproval)),
  /**
   * Approves documents that were reviewed here, or declines. Throws 'conflict' with 'not-reviewed'
   * or 'documents-changed', 'forbidden' for a user who may not sign, 'not-found' if it was already
   * decided.
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
