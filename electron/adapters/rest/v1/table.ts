import * as z from 'zod';
import { AgreementId } from '../../../../shared/model/ids.ts';
import type {
  FileEndpoint,
  LinkEndpoint,
  ListEndpoint,
  Paging,
  ReadEndpoint,
  WriteEndpoint,
} from '../http/endpoint.ts';
import { PAGES_AHEAD, positions } from '../http/pages.ts';
import { AccessRightReply, ExtrasReply, NotificationReply, OwnerReply } from './extras-reply.ts';

/*
 * API v1. Replies are read as narrowly as they are used; keys that are not named here are kept, so
 * that the service's own object can be shown. Words the service may add to stay plain texts.
 */

const Text = z.string().nullish();

const SigningConfiguration = z.looseObject({ id: Text, type: z.string() });

const PartyReply = z.looseObject({
  id: z.string(),
  type: z.string(),
  firstName: Text,
  lastName: Text,
  name: Text,
  email: Text,
  mobile: Text,
  country: Text,
  companyNumber: Text,
  signingOrder: z.number().int().nullish(),
  state: z.string(),
  signingConfigurations: z.array(SigningConfiguration).nullish(),
  rejectionResult: z.looseObject({ reason: Text }).nullish(),
});
export type PartyReplyV1 = z.infer<typeof PartyReply>;

const AttachmentReply = z.looseObject({
  id: Text,
  name: Text,
  title: Text,
  category: Text,
  mimeType: Text,
  fileSize: z.number().int().nullish(),
});
export type AttachmentReplyV1 = z.infer<typeof AttachmentReply>;

const AgreementReply = z.looseObject({
  id: AgreementId,
  title: Text,
  state: z.string(),
  createdOn: Text,
  lastActivityOn: Text,
  postedOn: Text,
  closedOn: Text,
  rejectedOn: Text,
  revokedOn: Text,
  expiredOn: Text,
  expireOn: Text,
  deleteOn: Text,
  lastSignedOn: Text,
  importedOn: Text,
  parties: z.array(PartyReply).nullish(),
  attachments: z.array(AttachmentReply).nullish(),
  tags: z.record(z.string(), z.string()).nullish(),
  sharedWith: Text,
  owner: OwnerReply.nullish(),
  accessRights: z.array(AccessRightReply).nullish(),
});
export type AgreementReplyV1 = z.infer<typeof AgreementReply>;

const One = z.object({ data: AgreementReply });
/** After a change only the id counts, and the title when it comes back. */
const Changed = z.object({ data: z.looseObject({ id: AgreementId, title: Text }) });
export type ChangedReplyV1 = z.infer<typeof Changed>;

const Revoked = z.object({
  data: z.looseObject({ id: AgreementId, state: Text, revokedOn: Text }),
});
export type RevokedReplyV1 = z.infer<typeof Revoked>;

const Notification = z.object({ data: NotificationReply });
const Extras = z.object({ data: ExtrasReply });
const SigningLinks = z.object({
  data: z.looseObject({
    parties: z.array(
      z.looseObject({
        id: z.string(),
        links: z.array(z.looseObject({ type: Text, href: z.string() })).nullish(),
      }),
    ),
  }),
});
/** The API calls it a JSON object and shows nothing of it. */
const AnyReply = z.looseObject({});
type AnyReply = z.infer<typeof AnyReply>;

const Many = z.object({
  data: z.array(AgreementReply),
  meta: z.object({
    pageNumber: z.number().int(),
    totalPages: z.number().int(),
    totalRecords: z.number().int(),
  }),
});
type Many = z.infer<typeof Many>;

const Link = z.object({ downloadLink: z.string() });
/** The API shows the link bare, and says elsewhere that every single object is wrapped. */
const DownloadLink = z
  .union([Link, z.object({ data: Link })])
  .transform((body) => ('data' in body ? body.data : body).downloadLink);

/** As many as a page may reasonably hold; the service may give fewer, and says so. */
const PAGE_SIZE = '100';

/**
 * Counted by `meta`, not by the links: those may lose the filter. The first page is asked for
 * without a number, since the API does not say whether counting begins at 0 or 1.
 */
const byPageNumber: Paging<Many> = {
  query: (position) => ({
    'page[size]': PAGE_SIZE,
    ...(position === null ? {} : { 'page[number]': String(position) }),
  }),
  next: ({ data, meta }, { position, pages }) => {
    if (position !== null && meta.pageNumber !== position) return 'astray';
    return data.length === 0 || pages >= meta.totalPages ? 'end' : meta.pageNumber + 1;
  },
  total: ({ meta }) => meta.totalRecords,
  ids: ({ data }) => data.map(({ id }) => id),
  // One less than the total may be the last page, so that one is not counted on.
  ahead: ({ meta }, next) =>
    positions(next + 1, 1, Math.min(meta.totalPages - next - 1, PAGES_AHEAD)),
};

/** Everything a row and the details need, parents named too, so that nothing is read one by one. */
export const INCLUDE = {
  include: [
    'attachments',
    'parties',
    'parties.signingConfigurations',
    'parties.signingResult',
    'parties.rejectionResult',
    'tags',
    'accessRights',
    'owner',
  ].join(','),
};

/** All the rest, but for the parties' links: those are secrets of their own. */
export const INCLUDE_EXTRAS = {
  include: [
    'attachments',
    'attachments.fields',
    'parties',
    'parties.notifications',
    'parties.signingConfigurations',
    'parties.signingConfigurations.tbs',
    'parties.signingResult',
    'parties.rejectionResult',
    'parties.identificationConfigurations',
    'notifications',
    'accessRights',
    'links',
    'tags',
    'owner',
    'owner.links',
  ].join(','),
};

export const INCLUDE_SIGNING_LINKS = { include: 'parties,parties.links' };

/** For a listing that only asks whether listing works. */
export const SMALLEST_PAGE = { 'page[size]': '1' };

export const createAgreement: WriteEndpoint<ChangedReplyV1> = {
  name: 'v1.agreements.create',
  method: 'POST',
  path: '/v1/agreements',
  repeat: 'once',
  success: 200,
  reply: Changed,
};

/** One agreement; `include` decides what the reply holds. */
const fetchOne = {
  method: 'GET',
  path: '/v1/agreements/{id}',
  repeat: 'read',
  success: 200,
} as const;

export const fetchAgreement: ReadEndpoint<z.infer<typeof One>> = {
  ...fetchOne,
  name: 'v1.agreements.fetch',
  reply: One,
};

export const fetchExtras: ReadEndpoint<z.infer<typeof Extras>> = {
  ...fetchOne,
  name: 'v1.agreements.fetch-extras',
  reply: Extras,
};

export const fetchSigningLinks: ReadEndpoint<z.infer<typeof SigningLinks>> = {
  ...fetchOne,
  name: 'v1.agreements.fetch-links',
  reply: SigningLinks,
};

export const listAgreements: ListEndpoint<Many> = {
  name: 'v1.agreements.list',
  method: 'GET',
  path: '/v1/agreements',
  repeat: 'read',
  success: 200,
  reply: Many,
  paging: byPageNumber,
};

export const downloadAgreement: FileEndpoint = {
  name: 'v1.agreements.download',
  method: 'GET',
  path: '/v1/agreements/{id}/download',
  repeat: 'read',
  success: 200,
  file: 'application/pdf',
};

export const deleteAgreement: WriteEndpoint<string> = {
  name: 'v1.agreements.delete',
  method: 'DELETE',
  path: '/v1/agreements/{id}',
  repeat: 'once',
  success: 204,
  reply: z.string(),
  isPlainText: true,
};

export const updateAgreement: WriteEndpoint<ChangedReplyV1> = {
  name: 'v1.agreements.update',
  method: 'PATCH',
  path: '/v1/agreements/{id}',
  repeat: 'once',
  success: 200,
  reply: Changed,
};

/** A GET that takes the agreement back: it goes out once, like every change. */
export const revokeAgreement: WriteEndpoint<RevokedReplyV1> = {
  name: 'v1.agreements.revoke',
  method: 'GET',
  path: '/v1/agreements/{id}/revoke',
  repeat: 'once',
  success: 200,
  reply: Revoked,
};

export const signAgreement: WriteEndpoint<ChangedReplyV1> = {
  name: 'v1.parties.sign',
  method: 'POST',
  path: '/v1/agreements/{id}/parties/{partyId}/sign/{configurationId}',
  repeat: 'once',
  success: 200,
  reply: Changed,
};

export const updateEmail: WriteEndpoint<AnyReply> = {
  name: 'v1.parties.update-email',
  method: 'POST',
  path: '/v1/agreements/{id}/parties/{partyId}/updateEmail',
  repeat: 'once',
  success: 200,
  reply: AnyReply,
};

export const fetchNotification: ReadEndpoint<z.infer<typeof Notification>> = {
  name: 'v1.notifications.fetch',
  method: 'GET',
  path: '/v1/agreements/{id}/parties/{partyId}/notifications/{notificationId}',
  repeat: 'read',
  success: 200,
  reply: Notification,
};

export const replaceRecipients: WriteEndpoint<AnyReply> = {
  name: 'v1.notifications.recipients',
  method: 'PUT',
  path: '/v1/agreements/{id}/parties/{partyId}/notifications/{notificationId}/recipients',
  repeat: 'once',
  success: 200,
  reply: AnyReply,
};

export const deleteNotification: WriteEndpoint<string> = {
  name: 'v1.notifications.delete',
  method: 'DELETE',
  path: '/v1/agreements/{id}/parties/{partyId}/notifications/{notificationId}',
  repeat: 'once',
  success: 204,
  reply: z.string(),
  isPlainText: true,
};

/** Answers before anything is delivered: 202 means that it will be tried. */
export const notifyParty: WriteEndpoint<AnyReply> = {
  name: 'v1.notifications.notify',
  method: 'POST',
  path: '/v1/agreements/{id}/parties/{partyId}/notifications/{notificationId}/notify',
  repeat: 'once',
  success: 202,
  reply: AnyReply,
};

export const downloadAttachment: LinkEndpoint = {
  name: 'v1.attachments.download',
  method: 'GET',
  path: '/v1/agreements/{id}/attachments/{attachmentId}/download',
  repeat: 'read',
  success: 303,
  link: DownloadLink,
};
