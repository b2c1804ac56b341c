import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import {
  AgreementId,
  AgreementKey,
  BytesId,
  ConnectionId,
  IdentityId,
  Instant,
  Nothing,
  ReviewId,
} from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** A named person who signs for the company. The number is shown masked; it stays in the store. */
export const Identity = z.object({
  id: IdentityId,
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** What the person is in the company, such as managing director. */
  role: z.string().nullable(),
  company: z.string().nullable(),
  personNumberMasked: z.string().nullable(),
  country: z.string().nullable(),
  orgNo: z.string().nullable(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
});
export type Identity = z.infer<typeof Identity>;

export const NewIdentity = z.object({
  name: z.string().trim().min(1).max(80),
  firstName: z.string().trim().min(1).max(80),
  lastName: z.string().trim().min(1).max(80),
  role: z.string().trim().max(120).optional(),
  company: z.string().trim().max(120).optional(),
  personNumber: z.string().trim().optional(),
  country: z.string().trim().length(2).optional(),
  orgNo: z.string().trim().optional(),
  email: z.string().trim().optional(),
  mobile: z.string().trim().optional(),
});
export type NewIdentity = z.infer<typeof NewIdentity>;

/** An entry of the evidence: its number, when, and by whom. */
export const SigningNote = z.object({
  number: z.number().int(),
  at: Instant,
  person: z.string(),
  personId: IdentityId.nullable(),
  /** The seat of the office at which it was approved; null for this desk. */
  seat: z.string().nullable(),
});
export type SigningNote = z.infer<typeof SigningNote>;

export const SigningReview = SigningNote.extend({
  /** elsewhere: the person stated to have read it outside of the program. */
  how: z.enum(['here', 'elsewhere']),
  /** False when the documents are others now: it has to be reviewed again. */
  isCurrent: z.boolean(),
});
export type SigningReview = z.infer<typeof SigningReview>;

/** A document that was fetched for a review; its bytes wait under `/bytes/out/`. */
export const ReviewDocument = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  category: z.enum(['agreement', 'reference']),
  mimeType: z.string().nullable(),
  bytes: z.number().int(),
  sha256: z.string(),
  bytesId: BytesId,
});
export type ReviewDocument = z.infer<typeof ReviewDocument>;

export const ReviewOpened = z.object({ reviewId: ReviewId, documents: z.array(ReviewDocument) });
export type ReviewOpened = z.infer<typeof ReviewOpened>;

export const SigningItem = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  partyId: z.string(),
  partyName: z.string(),
  /** Names of the other parties: who it is that one signs with. */
  others: z.array(z.string()),
  title: z.string(),
  since: Instant.nullable(),
  expiresAt: Instant.nullable(),
  /** ready: can be signed. coming: others sign first. doubtful: an earlier try's outcome is unknown. */
  state: z.enum(['ready', 'coming', 'doubtful', 'under-way']),
  /** Whether the documents can be read before the end: v1 gives them, v2 does not. */
  readable: z.boolean(),
  review: SigningReview.nullable(),
  /** A second person's consent to the review, where that is asked for. */
  approval: SigningNote.nullable(),
  /** Which of our persons may sign; null when anyone may, as far as is known here. */
  allowed: z.array(IdentityId).nullable(),
});
export type SigningItem = z.infer<typeof SigningItem>;

const Signed = z.object({ connectionId: ConnectionId, id: AgreementId, title: z.string() });

export const SignResult = z.object({
  signed: z.array(Signed),
  failed: z.array(Signed.extend({ failure: Failure })),
  unknown: z.array(Signed),
});
export type SignResult = z.infer<typeof SignResult>;

export const identityCalls = {
  'identities.list': call(z.object({}), z.array(Identity)),
  'identities.add': call(NewIdentity, Identity),
  'identities.remove': call(z.object({ id: IdentityId }), Nothing),
} as const;

export const signingCalls = {
  'signing.list': call(z.object({ connectionId: ConnectionId.optional() }), z.array(SigningItem)),
  /** A job; its result is a `ReviewOpened`: the documents that will be signed, fetched and hashed. */
  'signing.review': call(AgreementKey, JobStarted),
  /** Records that what was fetched was read; without `reviewId`, that it was read elsewhere. */
  'signing.markReviewed': call(
    AgreementKey.extend({ reviewId: ReviewId.optional(), identityId: IdentityId }),
    z.object({ number: z.number().int() }),
  ),
  /** Consent of a person other than the one who signs. */
  'signing.approve': call(
    AgreementKey.extend({ identityId: IdentityId }),
    z.object({ number: z.number().int() }),
  ),
  /** A job; its result is a `SignResult`. `confirm` is the number of agreements. */
  'signing.sign': call(
    z.object({
      items: z.array(AgreementKey.extend({ partyId: z.string() })).min(1),
      identityId: IdentityId,
      confirm: z.number().int(),
      /** Whether one that fails keeps those after it from being tried. */
      stopOnFailure: z.boolean().default(false),
    }),
    JobStarted,
  ),
} as const;

export const signingEvents = { 'identities.changed': z.object({}) } as const;
