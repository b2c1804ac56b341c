import { json, requirePathParameter, type Answer, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Api, Route } from '../server/router.ts';
import type { Service } from '../state/service.ts';
import { callerOf, findPermittedAgreement } from './access.ts';
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

const AGREEMENT_PATH = '/v1/agreements/:id';
const PARTY_PATH = `${AGREEMENT_PATH}/parties/:partyId`;
const NOTIFICATION_PATH = `${PARTY_PATH}/notifications/:notificationId`;

const routes: readonly Route<Service>[] = [
  { method: 'POST', path: '/v1/agreements', run: createAgreement },
  { method: 'GET', path: '/v1/agreements', run: listAgreements },
  { method: 'GET', path: AGREEMENT_PATH, run: fetchAgreement },
  { method: 'PATCH', path: AGREEMENT_PATH, run: updateAgreement },
  { method: 'DELETE', path: AGREEMENT_PATH, run: deleteAgreement },
  { method: 'GET', path: `${AGREEMENT_PATH}/download`, run: downloadAgreement },
  { method: 'GET', path: `${AGREEMENT_PATH}/revoke`, run: revokeAgreement },
  {
    method: 'GET',
    path: `${AGREEMENT_PATH}/attachments/:attachmentId/download`,
    run: linkAttachment,
  },
  { method: 'POST', path: `${PARTY_PATH}/sign/:signingConfigurationId`, run: signAgreement },
  { method: 'POST', path: `${PARTY_PATH}/updateEmail`, run: updateEmail },
  { method: 'GET', path: NOTIFICATION_PATH, run: fetchNotification },
  { method: 'DELETE', path: NOTIFICATION_PATH, run: deleteNotification },
  { method: 'PUT', path: `${NOTIFICATION_PATH}/recipients`, run: replaceRecipients },
  { method: 'POST', path: `${NOTIFICATION_PATH}/notify`, run: notifyParty },
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
  const agreement = findPermittedAgreement(exchange, service, 'read');
  const wanted = requirePathParameter(exchange, 'attachmentId');
  if (!agreement.attachments.some(({ id }) => id === wanted)) {
    throw new Refusal(404, 'There is no such attachment.');
  }
  const downloadLink = `${exchange.origin}${service.links.issue(agreement.id, wanted)}`;
  return json({ data: { downloadLink } }, { status: 303, headers: { Location: downloadLink } });
}
