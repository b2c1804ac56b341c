import * as z from 'zod';
import { Instant } from './ids.ts';

/** State of an agreement, for both APIs; `nativeState` has the service's own word. */
export const AgreementState = z.enum([
  'draft',
  'waiting',
  'part-signed',
  'signed',
  'rejected',
  'revoked',
  'expired',
  /** A state that this program does not know; `nativeState` is shown unchanged. */
  'unknown',
]);
export type AgreementState = z.infer<typeof AgreementState>;

/** States in which signing is no longer possible. */
export const closedStates: readonly AgreementState[] = ['signed', 'rejected', 'revoked', 'expired'];

export const PartyState = z.enum(['draft', 'waiting', 'turn', 'signed', 'rejected', 'unknown']);
export type PartyState = z.infer<typeof PartyState>;

export const Party = z.object({
  /**
   * ID of the party. v1: UUID. v2 has no ID: the organisation number of a company, `private-1` …
   * for persons.
   */
  id: z.string(),
  kind: z.enum(['person', 'company', 'my-company']),
  name: z.string(),
  state: PartyState,
  nativeState: z.string(),
  /** Signing methods by their API names, `EID`, `SMS_OTP` … */
  methods: z.array(z.string()),
  order: z.number().int(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  country: z.string().nullable(),
  /**
   * Organisation number of a company; null for a person. Never a personal number: personal numbers
   * stay in `native`.
   */
  orgNo: z.string().nullable(),
  signedAt: Instant.nullable(),
  rejectedReason: z.string().nullable(),
  /**
   * v1: ID of the party's signing configuration of type API; v2: `company`. Null if the party
   * cannot sign through the API.
   */
  apiSigning: z.string().nullable(),
  /** v2: number of persons who may sign for the company; null if anyone may. */
  allowedPersons: z.number().int().nullable(),
});
export type Party = z.infer<typeof Party>;

export const AgreementDocument = z.object({
  /** v1: the attachment's UUID, for downloading it; otherwise null. */
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
 * Owner of an agreement, and the rights of others (API v1, "Access right"). API v2 returns neither.
 */
export const AgreementAccess = z.object({
  /** With whom the agreement is shared: `ALL`, `NONE` or `CUSTOM`. */
  sharedWith: z.string().nullable(),
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
  rights: z
    .array(
      z.object({
        /** Permitted action: `read`, `update` or `delete`. */
        action: z.string(),
        /** Who has the right: `user`, `group` or `account`. */
        actorType: z.string().nullable(),
        actorId: z.string().nullable(),
      }),
    )
    .nullable(),
});
export type AgreementAccess = z.infer<typeof AgreementAccess>;

/**
 * An agreement from one response of the service. `parties`, `documents` and `tags` are null if the
 * response lacked them, which differs from empty.
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
  /**
   * Owner and rights; absent if the service did not return them, and in copies that are older than
   * this field.
   */
  access: AgreementAccess.nullish(),
  etag: z.string().nullable(),
  /** The service's own object as JSON text, with personal numbers and signing links masked. */
  native: z.string(),
});
export type RemoteAgreement = z.infer<typeof RemoteAgreement>;
