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
import { MAX_PAGES_AHEAD, pagePositions } from '../http/pages.ts';
import { AccessRightReply, ExtrasReply, NotificationReply, OwnerReply } from './extras-reply.ts';

/*
 * Endpoints of API v1. Schemas require only fields that are used; other keys are kept, so that the
 * service's own object can be shown. Enumerations that the service may extend are plain texts.
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

const AgreementReplyBody = z.object({ data: AgreementReply });
/** Reply after a change, of which only the ID is used, and the title if it is returned. */
const ChangedReply = z.object({ data: z.looseObject({ id: AgreementId, title: Text }) });
export type ChangedReplyV1 = z.infer<typeof ChangedReply>;

const RevokedReply = z.object({
  data: z.looseObject({ id: AgreementId, state: Text, revokedOn: Text }),
});
export type RevokedReplyV1 = z.infer<typeof RevokedReply>;

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
/** Reply that the API documents only as a JSON object. */
const AnyReply = z.looseObject({});
type AnyReply = z.infer<typeof AnyReply>;

const AgreementPageReply = z.object({
  data: z.array(AgreementReply),
  meta: z.object({
    pageNumber: z.number().int(),
    totalPages: z.number().int(),
    totalRecords: z.number().int(),
  }),
});
type AgreementPageReply = z.infer<typeof AgreementPageReply>;

const Link = z.object({ downloadLink: z.string() });
/**
 * Reply with a link. The API documents the bare link, but also states that every single object is
 * wrapped.
 */
const DownloadLink = z
  .union([Link, z.object({ data: Link })])
  .transform((body) => ('data' in body ? body.data : body).downloadLink);

/** Requested page size; the service may return fewer agreements, and reports how many. */
const PAGE_SIZE = '100';

/**
 * Paging by `meta`, not by the links, which may lose the filter. The first page is requested
 * without a number, since the API does not document whether numbers start at 0 or 1.
 */
const byPageNumber: Paging<AgreementPageReply> = {
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
  // If numbers start at 0, the number of the last page is one below the total, so page `totalPages`
  // is not requested early.
  ahead: ({ meta }, next) =>
    pagePositions(next + 1, 1, Math.min(meta.totalPages - next - 1, MAX_PAGES_AHEAD)),
};

/** Includes for rows and details, with parties, so that no agreement is read one by one. */
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

/** Includes for all other content, except the parties' links, which are secrets. */
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

/** Query of a request that only tests whether the list works. */
export const SMALLEST_PAGE = { 'page[size]': '1' };

export const createAgreement: WriteEndpoint<ChangedReplyV1> = {
  name: 'v1.agreements.create',
  method: 'POST',
  path: '/v1/agreements',
  repeat: 'once',
  success: 200,
  reply: ChangedReply,
};

/** Request for a single agreement; `include` determines the content of the reply. */
const fetchOne = {
  method: 'GET',
  path: '/v1/agreements/{id}',
  repeat: 'read',
  success: 200,
} as const;

export const fetchAgreement: ReadEndpoint<z.infer<typeof AgreementReplyBody>> = {
  ...fetchOne,
  name: 'v1.agreements.fetch',
  reply: AgreementReplyBody,
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

export const listAgreements: ListEndpoint<AgreementPageReply> = {
  name: 'v1.agreements.list',
  method: 'GET',
  path: '/v1/agreements',
  repeat: 'read',
  success: 200,
  reply: AgreementPageReply,
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
  reply: ChangedReply,
};

/** Request that revokes the agreement. It is a GET, but sent only once, like every change. */
export const revokeAgreement: WriteEndpoint<RevokedReplyV1> = {
  name: 'v1.agreements.revoke',
  method: 'GET',
  path: '/v1/agreements/{id}/revoke',
  repeat: 'once',
  success: 200,
  reply: RevokedReply,
};

export const signAgreement: WriteEndpoint<ChangedReplyV1> = {
  name: 'v1.parties.sign',
  method: 'POST',
  path: '/v1/agreements/{id}/parties/{partyId}/sign/{configurationId}',
  repeat: 'once',
  success: 200,
  reply: ChangedReply,
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

/**
 * Request to notify a party. It is answered before delivery: 202 means that delivery will be
 * attempted.
 */
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
