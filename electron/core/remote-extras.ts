/*
 * What a service tells of an agreement beside its state and parties. Null where it was not told;
 * words of the service stay as they came. Personal numbers and links for signing are masked.
 */

export interface NotificationRecipient {
  readonly medium: string;
  readonly address: string;
}

/** A notification of v1; one of a party can be read, changed and sent again by its id. */
export interface PartyNotification {
  readonly id: string | null;
  readonly type: string;
  readonly templateId: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly placeholders: Readonly<Record<string, string>>;
  /** Null leaves it to the account. */
  readonly attachPdf: boolean | null;
  /** Epoch milliseconds; when a reminder will go out. */
  readonly sendsAt: number | null;
  readonly recipients: readonly NotificationRecipient[] | null;
}

export interface SigningMethod {
  readonly id: string | null;
  readonly type: string;
  readonly country: string | null;
  readonly provider: string | null;
  /** Masked: a personal number or a mobile number. */
  readonly identifier: string | null;
  /** What the e-identity app shows. */
  readonly sender: string | null;
  readonly description: string | null;
}

/** Identification before reading. */
export interface Identification {
  readonly type: string;
  readonly country: string | null;
  /** Masked. */
  readonly identifier: string | null;
}

/** What v2 keeps of a signature with an e-identity; the proof itself stays on the service. */
export interface SignatureEvidence {
  /** Masked. */
  readonly clientIpAddress: string | null;
  /** Wall times as the service wrote them. */
  readonly certNotValidBefore: string | null;
  readonly certNotValidAfter: string | null;
  readonly hasSignature: boolean;
  readonly hasOcsp: boolean;
}

export interface PartyExtras {
  /** The party's id in the agreement as read from the same connection. */
  readonly id: string;
  /** Masked. */
  readonly personNumber: string | null;
  readonly notifications: readonly PartyNotification[] | null;
  readonly methods: readonly SigningMethod[] | null;
  readonly identifications: readonly Identification[] | null;
  /** Type of the method that was used. */
  readonly signedWith: string | null;
  readonly evidence: SignatureEvidence | null;
}

export interface AccessRight {
  readonly type: string;
  readonly actorType: string | null;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly description: string | null;
  readonly action: string;
}

export interface ReturnLink {
  readonly type: string;
  readonly href: string;
}

export interface DocumentFields {
  /** The attachment's id. */
  readonly id: string | null;
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: string | null }[];
}

export interface RemoteExtras {
  /** `ALL`, `NONE`, `CUSTOM`. */
  readonly sharedWith: string | null;
  readonly owner: { readonly name: string; readonly email: string | null } | null;
  readonly accessRights: readonly AccessRight[] | null;
  readonly returnLinks: readonly ReturnLink[] | null;
  /** Of the agreement itself: they can be looked at only. */
  readonly notifications: readonly PartyNotification[] | null;
  readonly documents: readonly DocumentFields[] | null;
  readonly parties: readonly PartyExtras[];
  readonly etag: string | null;
}
