import * as z from 'zod';

/*
 * Data of an agreement other than its state and parties. A value is null if the service did not
 * return it; the service's own words are unchanged. Personal numbers and signing links are masked.
 */

const NotificationRecipient = z.object({ medium: z.string(), address: z.string() });
type NotificationRecipient = z.infer<typeof NotificationRecipient>;

/** A notification of v1. The notifications of a party can be read, changed and sent again by ID. */
export const PartyNotification = z.object({
  id: z.string().nullable(),
  type: z.string(),
  templateId: z.string().nullable(),
  locale: z.string().nullable(),
  timeZone: z.string().nullable(),
  placeholders: z.record(z.string(), z.string()),
  /** Whether the PDF is attached; null for the account's default. */
  attachPdf: z.boolean().nullable(),
  /**
   * Time at which the service sends the notification, if it is a reminder (epoch ms); null if the
   * service returned none.
   */
  sendsAt: z.number().nullable(),
  recipients: z.array(NotificationRecipient).readonly().nullable(),
});
export type PartyNotification = z.infer<typeof PartyNotification>;

const SigningMethod = z.object({
  id: z.string().nullable(),
  type: z.string(),
  country: z.string().nullable(),
  provider: z.string().nullable(),
  /** Identifier of the signer, masked: a personal number or a mobile number. */
  identifier: z.string().nullable(),
  /** Text shown in the eID app. */
  sender: z.string().nullable(),
  description: z.string().nullable(),
});
type SigningMethod = z.infer<typeof SigningMethod>;

const Identification = z.object({
  type: z.string(),
  country: z.string().nullable(),
  /** Identifier of the party, masked. */
  identifier: z.string().nullable(),
});
type Identification = z.infer<typeof Identification>;

/** Data that v2 keeps about an eID signature; the proof itself stays on the service. */
const SignatureEvidence = z.object({
  /** IP address of the signer, masked. */
  clientIpAddress: z.string().nullable(),
  /** Validity of the certificate, in local times as the service wrote them. */
  certNotValidBefore: z.string().nullable(),
  certNotValidAfter: z.string().nullable(),
  hasSignature: z.boolean(),
  hasOcsp: z.boolean(),
});
type SignatureEvidence = z.infer<typeof SignatureEvidence>;

export const PartyExtras = z.object({
  /** The party's ID in the agreement read from the same connection. */
  id: z.string(),
  /** Personal number of the party, masked. */
  personNumber: z.string().nullable(),
  notifications: z.array(PartyNotification).readonly().nullable(),
  methods: z.array(SigningMethod).readonly().nullable(),
  identifications: z.array(Identification).readonly().nullable(),
  /** Type of the signing method that the party used. */
  signedWith: z.string().nullable(),
  evidence: SignatureEvidence.nullable(),
});
export type PartyExtras = z.infer<typeof PartyExtras>;

export const AccessRight = z.object({
  type: z.string(),
  actorType: z.string().nullable(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  description: z.string().nullable(),
  action: z.string(),
});
export type AccessRight = z.infer<typeof AccessRight>;

const ReturnLink = z.object({ type: z.string(), href: z.string() });
type ReturnLink = z.infer<typeof ReturnLink>;

const DocumentFields = z.object({
  id: z.string().nullable(),
  name: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string().nullable() })).readonly(),
});
type DocumentFields = z.infer<typeof DocumentFields>;

export const RemoteExtras = z.object({
  /** With whom the agreement is shared: `ALL`, `NONE` or `CUSTOM`. */
  sharedWith: z.string().nullable(),
  owner: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
  accessRights: z.array(AccessRight).readonly().nullable(),
  returnLinks: z.array(ReturnLink).readonly().nullable(),
  /** Notifications of the agreement itself, which are read-only. */
  notifications: z.array(PartyNotification).readonly().nullable(),
  documents: z.array(DocumentFields).readonly().nullable(),
  parties: z.array(PartyExtras).readonly(),
  etag: z.string().nullable(),
});
export type RemoteExtras = z.infer<typeof RemoteExtras>;
