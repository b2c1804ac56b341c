export type AgreementState =
  | 'DRAFT'
  | 'READY_TO_SEND'
  | 'READY_TO_SIGN'
  | 'SIGNED'
  | 'SIGNED_BY_ALL'
  | 'REJECTED'
  | 'REVOKED'
  | 'EXPIRED';
type PartyState = 'DRAFT' | 'WAITING_TO_SIGN' | 'READY_TO_SIGN' | 'SIGNED' | 'REJECTED';
type SigningType = 'EID' | 'QES' | 'SMS_OTP' | 'CLICK' | 'DRAW' | 'API';
type Medium = 'EMAIL' | 'SMS' | 'WEBHOOK';
export type NotificationType =
  | 'READY_TO_SIGN'
  | 'SIGNED'
  | 'SIGNED_BY_ALL'
  | 'REJECTED'
  | 'REVOKED'
  | 'EXPIRY_REMINDER'
  | 'EXPIRED'
  | 'VIEWED';

export interface Recipient {
  medium: Medium;
  address: string;
}

export interface Notification {
  readonly id: string;
  readonly type: NotificationType;
  readonly templateId: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly placeholders: Readonly<Record<string, string>>;
  readonly attachPdf: boolean | null;
  readonly sendOn: number | null;
  recipients: Recipient[];
}

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly title: string | null;
  readonly mimeType: string;
  readonly fileSize: number;
  readonly lastModifiedOn: number | null;
  readonly category: 'AGREEMENT' | 'REF_DOC';
  readonly fields: readonly {
    readonly id: string;
    readonly name: string;
    readonly value: string;
  }[];
  /** SHA-256 of the content, the key of the content in the store's blobs. */
  readonly blob: string;
}

export interface SigningConfiguration {
  readonly id: string;
  readonly type: SigningType;
  readonly country: string | null;
  readonly provider: string | null;
  readonly identifier: string | null;
  readonly actionType: string | null;
  readonly tbs: { readonly sender: string | null; readonly description: string | null } | null;
}

export interface IdentificationConfiguration {
  readonly id: string;
  readonly type: 'SMS_OTP' | 'EID';
  readonly country: string | null;
  readonly identifier: string | null;
}

/** A configuration of an agreement or a party, with the fields of the request. */
export type Configuration = Readonly<Record<string, string | number | boolean>>;

/** The signer, as named in the Sign request of the API. */
export interface Signer {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly country: string | null;
  readonly personNumber: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
}

export interface Party {
  readonly id: string;
  readonly type: 'PRIVATE' | 'COMPANY' | 'MY_COMPANY';
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly name: string | null;
  email: string | null;
  readonly mobile: string | null;
  readonly country: string | null;
  readonly personNumber: string | null;
  readonly companyNumber: string | null;
  readonly signingOrder: number;
  readonly configurations: readonly Configuration[];
  readonly signingConfigurations: readonly SigningConfiguration[];
  readonly identificationConfigurations: readonly IdentificationConfiguration[];
  notifications: Notification[];
  state: PartyState;
  signedOn: number | null;
  signedWith: string | null;
  signer: Signer | null;
  rejectionReason: string | null;
}

export interface AccessRight {
  readonly id: string;
  readonly type: 'GRANT_BY_ID' | 'GRANT_BY_NAME';
  readonly actorType: 'user' | 'group' | 'account';
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly description: string | null;
  readonly action: 'read' | 'update' | 'delete';
}

/** A v1 agreement in the store; instants are epoch milliseconds. */
export interface Agreement {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  state: AgreementState;
  /** Number that increases with every change; part of the ETag. */
  version: number;
  readonly createdOn: number;
  lastActivityOn: number;
  postedOn: number | null;
  closedOn: number | null;
  rejectedOn: number | null;
  revokedOn: number | null;
  expiredOn: number | null;
  expireOn: number | null;
  deleteOn: number | null;
  lastSignedOn: number | null;
  importedOn: number | null;
  readonly configurations: readonly Configuration[];
  readonly attachments: readonly Attachment[];
  readonly parties: readonly Party[];
  readonly notifications: readonly Notification[];
  readonly accessRights: readonly AccessRight[];
  readonly links: readonly { readonly type: string; readonly href: string }[];
  readonly tags: Readonly<Record<string, string>>;
  /** Time at which the next of the other parties acts automatically (epoch ms); null for never. */
  actAt: number | null;
}
