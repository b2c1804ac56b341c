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
  EmptyObject,
  ReviewId,
} from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/**
 * A named person who signs for the company. The personal number is masked; the unmasked number
 * stays in the store.
 */
export const Identity = z.object({
  id: IdentityId,
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Position in the company, such as managing director. */
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
  /** Name in lists; the person's name if absent. */
  name: z.string().trim().min(1).max(80).optional(),
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

/** An evidence entry about a signature: number, time and person. */
export const SigningNote = z.object({
  number: z.number().int(),
  at: Instant,
  person: z.string(),
  personId: IdentityId.nullable(),
  /** User of the office on whose computer the review was approved; null for this computer. */
  seat: z.string().nullable(),
});
export type SigningNote = z.infer<typeof SigningNote>;

export const SigningReview = SigningNote.extend({
  /**
   * How the documents were read. `elsewhere`: the person stated that they read them outside the
   * program.
   */
  how: z.enum(['here', 'elsewhere']),
  /**
   * Whether the review still applies; false if the documents have changed, so that they must be
   * reviewed again.
   */
  isCurrent: z.boolean(),
});
export type SigningReview = z.infer<typeof SigningReview>;

/** A document fetched for a review; its bytes are under `/bytes/out/`. */
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

export const OpenedReview = z.object({ reviewId: ReviewId, documents: z.array(ReviewDocument) });
export type OpenedReview = z.infer<typeof OpenedReview>;

export const SigningItem = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  partyId: z.string(),
  partyName: z.string(),
  others: z.array(z.string()),
  title: z.string(),
  since: Instant.nullable(),
  expiresAt: Instant.nullable(),
  /**
   * `ready`: can be signed. `coming`: others sign first. `doubtful`: an earlier attempt has an
   * unknown outcome. `under-way`: a signature is queued or in flight.
   */
  state: z.enum(['ready', 'coming', 'doubtful', 'under-way']),
  /**
   * Whether the documents can be read before the agreement is concluded: v1 returns them, v2 does
   * not.
   */
  readable: z.boolean(),
  review: SigningReview.nullable(),
  /** A second person's approval of the review; null without one. */
  approval: SigningNote.nullable(),
  /** Our signing identities that may sign; null if anyone may, as far as this computer knows. */
  allowed: z.array(IdentityId).nullable(),
});
export type SigningItem = z.infer<typeof SigningItem>;

/** Agreements that the queue does not offer, because the number of our company may be wrong. */
export const OtherCompanies = z.object({
  connectionId: ConnectionId,
  /** Number of open agreements that name other companies. */
  count: z.number().int(),
  /** Numbers of these companies, the most frequent first; personal numbers are masked. */
  orgNos: z.array(z.string()),
});
export type OtherCompanies = z.infer<typeof OtherCompanies>;

const SignedAgreement = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
});

export const SignResult = z.object({
  signed: z.array(SignedAgreement),
  failed: z.array(SignedAgreement.extend({ failure: Failure })),
  unknown: z.array(SignedAgreement),
});
export type SignResult = z.infer<typeof SignResult>;

export const identityCalls = {
  'identities.list': call(z.object({}), z.array(Identity)),
  'identities.add': call(NewIdentity, Identity),
  'identities.remove': call(z.object({ id: IdentityId }), EmptyObject),
} as const;

export const signingCalls = {
  'signing.list': call(z.object({ connectionId: ConnectionId.optional() }), z.array(SigningItem)),
  /**
   * Connections of API v2 whose agreements all name other companies, so that the number of our
   * company may be wrong.
   */
  'signing.otherCompanies': call(
    z.object({ connectionId: ConnectionId.optional() }),
    z.array(OtherCompanies),
  ),
  /**
   * Fetches and hashes the documents that will be signed. Runs as a job whose result is an
   * `OpenedReview`.
   */
  'signing.review': call(AgreementKey, JobStarted),
  /**
   * Records that the fetched documents were read; without `reviewId`, that they were read
   * elsewhere.
   */
  'signing.markReviewed': call(
    AgreementKey.extend({
      reviewId: ReviewId.optional(),
      identityId: IdentityId,
      /** IDs of fetched documents that the person read outside the program. */
      elsewhere: z.array(z.string()).optional(),
    }),
    z.object({ number: z.number().int() }),
  ),
  /** Records the approval of a review by a person other than the signer. */
  'signing.approve': call(
    AgreementKey.extend({ identityId: IdentityId }),
    z.object({ number: z.number().int() }),
  ),
  /**
   * Signs agreements. Runs as a job whose result is a `SignResult`. `confirm` is the number of
   * agreements.
   */
  'signing.sign': call(
    z.object({
      items: z.array(AgreementKey.extend({ partyId: z.string() })).min(1),
      identityId: IdentityId,
      confirm: z.number().int(),
      /** Whether a failure stops the following signatures. */
      stopOnFailure: z.boolean().default(false),
    }),
    JobStarted,
  ),
} as const;

export const signingEvents = { 'identities.changed': z.object({}) } as const;
