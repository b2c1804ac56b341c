export type LegacyStatus = 'POSTED' | 'REJECTED' | 'SIGNED_BY_ALL' | 'REVOKED';
type SignMethod = 'EID' | 'SMS_OTP' | 'EMAIL_OTP' | 'EMAIL';

export interface SignatureMetadata {
  readonly clientIpAddress: string;
  readonly signature: string;
  readonly ocsp: string;
  readonly certNotValidBefore: string;
  readonly certNotValidAfter: string;
}

export interface LegacyParty {
  readonly id: string;
  readonly kind: 'PRIVATE' | 'COMPANY';
  /**
   * Personal number of a private party; for a company, the number of the person who signed or
   * rejected.
   */
  personNo: string | null;
  readonly orgNo: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly mobile: string | null;
  readonly signMethod: SignMethod;
  readonly signingOrder: number;
  readonly signatureFields: readonly {
    readonly attachment: number;
    readonly names: readonly string[];
  }[];
  /** Personal numbers of the only people who may sign for a company; empty if anyone may. */
  readonly allowedPersons: readonly string[];
  status: 'NOT_SIGNED' | 'SIGNED' | 'REJECTED';
  signedOn: number | null;
  rejectedOn: number | null;
  evidence: SignatureMetadata | null;
}

/** A v2 agreement in the store; instants are epoch milliseconds. */
export interface LegacyAgreement {
  readonly referenceNumber: string;
  readonly ownerOrgNo: string;
  readonly name: string;
  readonly type: 'FREE_TEXT' | 'ATTACHED' | 'DYNAMIC_PDF';
  status: LegacyStatus;
  version: number;
  readonly postedOn: number;
  readonly expireOn: number;
  lastModifiedOn: number;
  closedOn: number | null;
  rejectedOn: number | null;
  revokedOn: number | null;
  readonly text: string | null;
  readonly templateId: string | null;
  readonly fields: readonly { readonly name: string; readonly value: string | boolean }[];
  readonly attachments: readonly { readonly name: string; readonly blob: string }[];
  readonly parties: readonly LegacyParty[];
  shares: { readonly with: string; readonly till: string | null }[];
  /** Time at which the next of the other parties acts automatically (epoch ms); null for never. */
  actAt: number | null;
}

/**
 * A file uploaded for a later create request. A used or expired file keeps its record but loses its
 * bytes.
 */
export interface Upload {
  readonly token: string;
  readonly ownerOrgNo: string;
  readonly fileName: string;
  readonly size: number;
  readonly createdOn: number;
  blob: string | null;
  isRemoved: boolean;
}
