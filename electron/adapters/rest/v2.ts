import * as z from 'zod';
import type {
  FileEndpoint,
  ListEndpoint,
  Paging,
  ReadEndpoint,
  WriteEndpoint,
} from './endpoint.ts';

/* API v2. As with v1: narrow, tolerant of more keys and of new words. */

const Text = z.string().nullish();
/** A reference number is text, leading zeros and all. */
const Reference = z.string().min(1);

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
  referenceNumber: Reference,
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

const Changed = z.looseObject({ referenceNumber: Reference, name: Text });
export type ChangedReplyV2 = z.infer<typeof Changed>;

const Many = z.object({
  agreements: z.array(AgreementReply),
  totalCount: z.number().int(),
});
type Many = z.infer<typeof Many>;

/** API v2, "List Agreements": never more. */
const MAX = 100;

/** Counted by what came: the service may give fewer than asked for. */
const byOffset: Paging<Many> = {
  query: (position) => ({ offset: String(position ?? 0), max: String(MAX) }),
  next: ({ agreements, totalCount }, { position }) => {
    const read = (position ?? 0) + agreements.length;
    return agreements.length === 0 || read >= totalCount ? 'end' : read;
  },
};

/** For a listing that only asks whether listing works. */
export const SMALLEST_PAGE = { offset: '0', max: '1' };

export const createAgreement: WriteEndpoint<ChangedReplyV2> = {
  name: 'v2.agreements.create',
  method: 'POST',
  path: '/agreements',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: Changed,
};

export const listAgreements: ListEndpoint<Many> = {
  name: 'v2.agreements.list',
  method: 'GET',
  path: '/agreements',
  repeat: 'read',
  success: 200,
  reply: Many,
  paging: byOffset,
  none: { status: 404, reply: { agreements: [], totalCount: 0 } },
};

export const getAgreement: ReadEndpoint<AgreementReplyV2> = {
  name: 'v2.agreements.get',
  method: 'GET',
  path: '/agreements/{referenceNumber}',
  repeat: 'read',
  success: 200,
  reply: AgreementReply,
};

export const downloadAgreement: FileEndpoint = {
  name: 'v2.agreements.download',
  method: 'GET',
  path: '/agreements/{referenceNumber}/download',
  repeat: 'read',
  success: 200,
  file: 'application/pdf',
};

export const revokeAgreement: WriteEndpoint<ChangedReplyV2> = {
  name: 'v2.agreements.revoke',
  method: 'PUT',
  path: '/agreements/{referenceNumber}/revoke',
  repeat: 'once',
  success: 200,
  actingUser: 'required',
  reply: Changed,
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

/** The API does not say whether the user must be named here, so it is when it is known. */
export const signAgreement: WriteEndpoint<ChangedReplyV2> = {
  name: 'v2.agreements.sign',
  method: 'POST',
  path: '/agreements/{referenceNumber}/sign',
  repeat: 'once',
  success: 200,
  actingUser: 'when-known',
  reply: Changed,
};
