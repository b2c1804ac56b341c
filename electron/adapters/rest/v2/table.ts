import * as z from 'zod';
import { AgreementId } from '../../../../shared/model/ids.ts';
import type {
  FileEndpoint,
  ListEndpoint,
  Paging,
  ReadEndpoint,
  TextEndpoint,
  WriteEndpoint,
} from '../http/endpoint.ts';
import { MAX_PAGES_AHEAD, pagePositions } from '../http/pages.ts';

/*
 * Endpoints of API v2. As for v1, schemas require only used fields, and accept further keys and new
 * words.
 */

const Text = z.string().nullish();
const PartyReply = z.looseObject({
  id: Text,
  orgNo: Text,
  name: Text,
  status: z.string(),
  signedOn: Text,
  rejectedOn: Text,
});
export type PartyReplyV2 = z.infer<typeof PartyReply>;

const AgreementReply = z.looseObject({
  referenceNumber: AgreementId,
  name: Text,
  status: z.string(),
  postedOn: Text,
  expireOn: Text,
  lastModifiedOn: Text,
  closedOn: Text,
  rejectedOn: Text,
  revokedOn: Text,
  parties: z
    .looseObject({
      privates: z.array(PartyReply).nullish(),
      companies: z.array(PartyReply).nullish(),
    })
    .nullish(),
});
export type AgreementReplyV2 = z.infer<typeof AgreementReply>;

const ChangedReplySchema = z.looseObject({ referenceNumber: AgreementId, name: Text });
export type ChangedReplyV2 = z.infer<typeof ChangedReplySchema>;

const Revoked = z.looseObject({ referenceNumber: AgreementId, status: Text, revokedOn: Text });
export type RevokedReplyV2 = z.infer<typeof Revoked>;

const ReferenceReply = z.looseObject({ referenceNumber: AgreementId });
type ReferenceReply = z.infer<typeof ReferenceReply>;

const Shared = z.looseObject({ referenceNumber: AgreementId, shareType: Text });
type Shared = z.infer<typeof Shared>;

const FieldValues = z.object({
  referenceNumber: AgreementId,
  dynamicPdfId: Text,
  fields: z
    .array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.boolean()]).nullish() }))
    .nullish(),
});
type FieldValues = z.infer<typeof FieldValues>;

const Evidence = z.looseObject({
  clientIpAddress: Text,
  signature: Text,
  ocsp: Text,
  certNotValidBefore: Text,
  certNotValidAfter: Text,
});
export type EvidenceReplyV2 = z.infer<typeof Evidence>;

const PartyEvidenceReply = z.looseObject({ personNo: Text, signatureMetadata: Evidence.nullish() });
const Extras = z.looseObject({
  referenceNumber: AgreementId,
  parties: z
    .looseObject({
      privates: z.array(PartyReply.extend(PartyEvidenceReply.shape)).nullish(),
      companies: z.array(PartyReply.extend(PartyEvidenceReply.shape)).nullish(),
    })
    .nullish(),
});
export type ExtrasReplyV2 = z.infer<typeof Extras>;

/** Uploaded file. A deleted file has `deletedOn` instead of `createdOn`. */
const Upload = z.looseObject({
  token: z.string().min(1),
  fileName: Text,
  createdOn: Text,
  deletedOn: Text,
});
export type UploadReply = z.infer<typeof Upload>;

const Uploads = z.object({ items: z.array(Upload), totalCount: z.number().int() });
type Uploads = z.infer<typeof Uploads>;

/**
 * Answer about a file that was used and deleted, or deleted after a timeout (API v2, "File
 * upload"). It is not an error.
 */
const GONE = { status: 500, reply: null };

const AgreementPageReplyV2 = z.object({
  agreements: z.array(AgreementReply),
  totalCount: z.number().int(),
});
type AgreementPageReplyV2 = z.infer<typeof AgreementPageReplyV2>;

/** Maximum page size (API v2, "List Agreements"). */
const PAGE_ROWS = 100;

/**
 * Paging by offset, which advances by the number of received agreements: the service may return
 * fewer than requested.
 */
const byOffset: Paging<AgreementPageReplyV2> = {
  query: (position) => ({ offset: String(position ?? 0), max: String(PAGE_ROWS) }),
  next: ({ agreements, totalCount }, { position }) => {
    const read = (position ?? 0) + agreements.length;
    return agreements.length === 0 || read >= totalCount ? 'end' : read;
  },
  total: ({ totalCount }) => totalCount,
  ids: ({ agreements }) => agreements.map(({ referenceNumber }) => referenceNumber),
  ahead: ({ agreements, totalCount }, next) => {
    const size = agreements.length;
    return pagePositions(
      next + size,
      size,
      Math.min((totalCount - next) / size - 1, MAX_PAGES_AHEAD),
    );
  },
};

/** Query of a request that only tests whether the list works. */
export const SMALLEST_PAGE = { offset: '0', max: '1' };

export const createAgreement: WriteEndpoint<ChangedReplyV2> = {
  name: 'v2.agreements.create',
  method: 'POST',
  path: '/agreements',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: ChangedReplySchema,
};

export const listAgreements: ListEndpoint<AgreementPageReplyV2> = {
  name: 'v2.agreements.list',
  method: 'GET',
  path: '/agreements',
  repeat: 'read',
  success: 200,
  reply: AgreementPageReplyV2,
  paging: byOffset,
  none: { status: 404, reply: { agreements: [], totalCount: 0 } },
};

const getOne = {
  method: 'GET',
  path: '/agreements/{referenceNumber}',
  repeat: 'read',
  success: 200,
} as const;

export const getAgreement: ReadEndpoint<AgreementReplyV2> = {
  ...getOne,
  name: 'v2.agreements.get',
  reply: AgreementReply,
};

export const getExtras: ReadEndpoint<ExtrasReplyV2> = {
  ...getOne,
  name: 'v2.agreements.get-extras',
  reply: Extras,
};

export const getXml: TextEndpoint = {
  name: 'v2.agreements.get-xml',
  method: 'GET',
  path: '/agreements/{referenceNumber}.xml',
  repeat: 'read',
  success: 200,
  text: 'xml',
};

/**
 * Request for the fields of an agreement. Status 400 also means that the agreement was not made
 * from a template.
 */
export const listFields: ReadEndpoint<FieldValues | null> = {
  name: 'v2.agreements.fields',
  method: 'GET',
  path: '/agreements/{referenceNumber}/fields',
  repeat: 'read',
  success: 200,
  reply: FieldValues,
  none: { status: 400, reply: null },
};

export const downloadAgreement: FileEndpoint = {
  name: 'v2.agreements.download',
  method: 'GET',
  path: '/agreements/{referenceNumber}/download',
  repeat: 'read',
  success: 200,
  file: 'application/pdf',
};

export const rejectAgreement: WriteEndpoint<ReferenceReply> = {
  name: 'v2.agreements.reject',
  method: 'POST',
  path: '/agreements/{referenceNumber}/reject',
  repeat: 'once',
  success: 200,
  reply: ReferenceReply,
};

export const revokeAgreement: WriteEndpoint<RevokedReplyV2> = {
  name: 'v2.agreements.revoke',
  method: 'PUT',
  path: '/agreements/{referenceNumber}/revoke',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: Revoked,
};

export const deleteAgreement: WriteEndpoint<string> = {
  name: 'v2.agreements.delete',
  method: 'DELETE',
  path: '/agreements/{referenceNumber}',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: z.string(),
  isPlainText: true,
};

/**
 * Request to sign. The API does not document whether the acting user is required, so the user is
 * named if known.
 */
export const signAgreement: WriteEndpoint<ChangedReplyV2> = {
  name: 'v2.agreements.sign',
  method: 'POST',
  path: '/agreements/{referenceNumber}/sign',
  repeat: 'once',
  success: 200,
  actingUser: 'when-known',
  reply: ChangedReplySchema,
};

export const shareAgreement: WriteEndpoint<Shared> = {
  name: 'v2.agreements.share',
  method: 'POST',
  path: '/agreements/{referenceNumber}/share',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: Shared,
};

export const uploadFile: WriteEndpoint<UploadReply> = {
  name: 'v2.files.upload',
  method: 'POST',
  path: '/files/attachment/agreement',
  repeat: 'once',
  success: 200,
  reply: Upload,
};

export const listFiles: ReadEndpoint<Uploads> = {
  name: 'v2.files.list',
  method: 'GET',
  path: '/files/attachment/agreement',
  repeat: 'read',
  success: 200,
  reply: Uploads,
  none: { status: 404, reply: { items: [], totalCount: 0 } },
};

export const getFile: ReadEndpoint<UploadReply | null> = {
  name: 'v2.files.get',
  method: 'GET',
  path: '/files/attachment/agreement/{token}',
  repeat: 'read',
  success: 200,
  reply: Upload,
  none: GONE,
};

export const deleteFile: WriteEndpoint<UploadReply | null> = {
  name: 'v2.files.delete',
  method: 'DELETE',
  path: '/files/attachment/agreement/{token}',
  repeat: 'once',
  success: 200,
  reply: Upload,
  none: GONE,
};
