import { json, param, type Answer, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Api, Route } from '../server/router.ts';
import type { Service } from '../state/service.ts';
import { callerOf, findFor } from './access.ts';
import {
  deleteAgreement,
  downloadAgreement,
  fetchAgreement,
  revokeAgreement,
  signAgreement,
  updateAgreement,
} from './actions.ts';
import { createAgreement } from './create.ts';
import { listAgreements } from './list.ts';
import { explainRefusal } from './messages.ts';
import {
  deleteNotification,
  fetchNotification,
  notifyParty,
  replaceRecipients,
  updateEmail,
} from './party-actions.ts';

const AGREEMENT = '/v1/agreements/:id';
const PARTY = `${AGREEMENT}/parties/:partyId`;
const NOTIFICATION = `${PARTY}/notifications/:notificationId`;

const routes: readonly Route<Service>[] = [
  { method: 'POST', path: '/v1/agreements', run: createAgreement },
  { method: 'GET', path: '/v1/agreements', run: listAgreements },
  { method: 'GET', path: AGREEMENT, run: fetchAgreement },
  { method: 'PATCH', path: AGREEMENT, run: updateAgreement },
  { method: 'DELETE', path: AGREEMENT, run: deleteAgreement },
  { method: 'GET', path: `${AGREEMENT}/download`, run: downloadAgreement },
  { method: 'GET', path: `${AGREEMENT}/revoke`, run: revokeAgreement },
  { method: 'GET', path: `${AGREEMENT}/attachments/:attachmentId/download`, run: linkAttachment },
  { method: 'POST', path: `${PARTY}/sign/:signingConfigurationId`, run: signAgreement },
  { method: 'POST', path: `${PARTY}/updateEmail`, run: updateEmail },
  { method: 'GET', path: NOTIFICATION, run: fetchNotification },
  { method: 'DELETE', path: NOTIFICATION, run: deleteNotification },
  { method: 'PUT', path: `${NOTIFICATION}/recipients`, run: replaceRecipients },
  { method: 'POST', path: `${NOTIFICATION}/notify`, run: notifyParty },
];

/** API v1: token authorization, UUIDs, ETags, errors similar to JSON:API. */
export const v1Api: Api<Service> = {
  prefix: '/api',
  routes,
  admit: (exchange) => void callerOf(exchange),
  explain: explainRefusal,
  wrap: (run) => run,
};

function linkAttachment(exchange: Exchange, service: Service): Answer {
  const agreement = findFor(exchange, service, 'read');
  const wanted = param(exchange, 'attachmentId');
  if (!agreement.attachments.some(({ id }) => id === wanted)) {
    throw new Refusal(404, 'There is no such attachment.');
  }
  const downloadLink = `${exchange.origin}${service.links.issue(agreement.id, wanted)}`;
  return json({ data: { downloadLink } }, { status: 303, headers: { Location: downloadLink } });
}
