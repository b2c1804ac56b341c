import * as z from 'zod';
import { Instant } from './ids.ts';

/** One vocabulary over both APIs; the service's own word stays beside it as `nativeState`. */
export const AgreementState = z.enum([
  'draft',
  'waiting',
  'part-signed',
  'signed',
  'rejected',
  'revoked',
  'expired',
  /** A state this program does not know; `nativeState` is shown as it came. */
  'unknown',
]);
export type AgreementState = z.infer<typeof AgreementState>;

/** States in which nothing more can be signed. */
export const closedStates: readonly AgreementState[] = ['signed', 'rejected', 'revoked', 'expired'];

export const PartyState = z.enum(['draft', 'waiting', 'turn', 'signed', 'rejected', 'unknown']);
export type PartyState = z.infer<typeof PartyState>;

/** A party of an agreement on the service. */
export const Party = z.object({
  /** v1: UUID. v2 gives none: the organisation number of a company, `private-1` … for persons. */
  id: z.string(),
  kind: z.enum(['person', 'company', 'my-company']),
  name: z.string(),
  state: PartyState,
  nativeState: z.string(),
  /** Signing methods as the API names them, `EID`, `SMS_OTP` … */
  methods: z.array(z.string()),
  order: z.number().int(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  country: z.string().nullable(),
  /** Organisation number of a company. Never a person's number: those stay in `native`. */
  orgNo: z.string().nullable(),
  signedAt: Instant.nullable(),
  rejectedReason: z.string().nullable(),
  /** v1: the signing configuration of type API, when there is one; v2: `company`. */
  apiSigning: z.string().nullable(),
  /** v2: how many persons may sign for the company; null when anyone may. */
  allowedPersons: z.number().int().nullable(),
});
export type Party = z.infer<typeof Party>;

export const AgreementDocument = z.object({
  /** v1: the attachment's UUID, by which it can be downloaded. */
  id: z.string().nullable(),
  name: z.string(),
  title: z.string().nullable(),
  category: z.enum(['agreement', 'reference']),
  mimeType: z.string().nullable(),
  bytes: z.number().int().nullable(),
});
export type AgreementDocument = z.infer<typeof AgreementDocument>;

export const TimelineEntry = z.object({
  at: Instant,
  what: z.enum([
    'created',
    'sent',
    'signed',
    'closed',
    'rejected',
    'revoked',
    'expired',
    'imported',
    'activity',
  ]),
  party: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/**
 * Who owns an agreement, and what others may do with it (API v1, "Access right"). API v2 tells
 * neither.
 */
export const AgreementAccess = z.object({
  /** `ALL`, `NONE`, `CUSTOM`. */
  sharedWith: z.string().nullable(),
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
  rights: z
    .array(
      z.object({
        /** `read`, `update`, `delete`. */
        action: z.string(),
        /** `user`, `group`, `account`. */
        actorType: z.string().nullable(),
        actorId: z.string().nullable(),
      }),
    )
    .nullable(),
});
export type AgreementAccess = z.infer<typeof AgreementAccess>;

/**
 * An agreement as one answer of the service gave it. `parties`, `documents` and `tags` are null
 * when the answer did not carry them, which is not the same as there being none.
 */
export const RemoteAgreement = z.object({
  id: z.string(),
  title: z.string(),
  state: AgreementState,
  nativeState: z.string(),
  createdAt: Instant.nullable(),
  sentAt: Instant.nullable(),
  updatedAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  parties: z.array(Party).nullable(),
  documents: z.array(AgreementDocument).nullable(),
  tags: z.record(z.string(), z.string()).nullable(),
  timeline: z.array(TimelineEntry),
  /** Absent where it was not given, and in copies that are older than this field. */
  access: AgreementAccess.nullish(),
  etag: z.string().nullable(),
  /** The service's own object, as JSON text, personal numbers and signing links masked. */
  native: z.string(),
});
export type RemoteAgreement = z.infer<typeof RemoteAgreement>;
