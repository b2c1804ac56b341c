import { createHash } from 'node:crypto';
import { readJson } from '../server/body.ts';
import {
  json,
  noContent,
  requirePathParameter,
  requireJsonType,
  type Answer,
  type Exchange,
} from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { findPermittedAgreement, findParty } from './access.ts';
import { emailRule } from './draft.ts';
import { etag, isOpen, requireMatchingEtag, recordChange } from '../state/life-v1.ts';
import { readRecipients } from './read-notifications.ts';
import type { Agreement, Notification, Party } from '../state/record-v1.ts';
import { viewNotification } from './view.ts';

/** Changes a party's email address, also in notifications to the old address. */
export function updateEmail(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const agreement = findPermittedAgreement(exchange, service, 'own');
  const party = findParty(exchange, agreement);
  requireMatchingEtag(etag(agreement), exchange.headers['if-match']);
  const body = readJson(exchange.body).object(['address']);
  const address = body.get('address').needText(emailRule);
  body.finish(400);
  if (!isOpen(agreement)) {
    throw new Refusal(400, `A party of an agreement in state ${agreement.state} is not changed.`);
  }
  for (const recipient of party.notifications.flatMap(({ recipients }) => recipients)) {
    if (recipient.medium === 'EMAIL' && recipient.address === party.email) {
      recipient.address = address;
    }
  }
  party.email = address;
  commitChange(agreement, service);
  const headers = { ETag: etag(agreement) };
  return json({ data: { id: party.id, email: address } }, { headers });
}

export function fetchNotification(exchange: Exchange, service: Service): Answer {
  const { notification, tag } = findNotificationFor(exchange, service);
  return json({ data: viewNotification(notification) }, { headers: { ETag: tag() } });
}

export function replaceRecipients(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const { agreement, notification, tag } = findNotificationFor(exchange, service);
  requireMatchingEtag(tag(), exchange.headers['if-match']);
  const body = readJson(exchange.body);
  const recipients = readRecipients(body, ['EMAIL', 'SMS'], body.items());
  body.finish(400);
  notification.recipients = recipients;
  commitChange(agreement, service);
  return json({ data: viewNotification(notification) }, { headers: { ETag: tag() } });
}

export function deleteNotification(exchange: Exchange, service: Service): Answer {
  const { agreement, party, notification, tag } = findNotificationFor(exchange, service);
  requireMatchingEtag(tag(), exchange.headers['if-match']);
  party.notifications = party.notifications.filter((one) => one !== notification);
  commitChange(agreement, service);
  // A deleted notification has no ETag.
  return noContent(isOwnTag(service) ? {} : { ETag: tag() });
}

/** Simulates sending a notification again; no message leaves this computer. */
export function notifyParty(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const { agreement, party, notification } = findNotificationFor(exchange, service);
  readJson(exchange.body).object([]).finish(400);
  if (notification.recipients.length === 0) {
    throw new Refusal(400, 'The notification has no recipients.');
  }
  const invites = notification.type === 'READY_TO_SIGN' || notification.type === 'EXPIRY_REMINDER';
  if (invites && !(isOpen(agreement) && party.state === 'READY_TO_SIGN')) {
    throw new Refusal(400, `A party in state ${party.state} is not asked to sign.`);
  }
  return json({ data: {} }, { status: 202 });
}

interface FoundNotification {
  readonly agreement: Agreement;
  readonly party: Party;
  readonly notification: Notification;
  readonly tag: () => string;
}

function findNotificationFor(exchange: Exchange, service: Service): FoundNotification {
  const agreement = findPermittedAgreement(exchange, service, 'own');
  const party = findParty(exchange, agreement);
  const wanted = requirePathParameter(exchange, 'notificationId');
  const notification = party.notifications.find(({ id }) => id === wanted);
  if (notification === undefined) throw new Refusal(404, 'There is no such notification.');
  const tag = () => (isOwnTag(service) ? notificationEtag(notification) : etag(agreement));
  return { agreement, party, notification, tag };
}

function isOwnTag({ behaviour }: Service): boolean {
  return behaviour.etagOwner === 'notification';
}

function notificationEtag(notification: Notification): string {
  const content = JSON.stringify(notification);
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
}

function commitChange(agreement: Agreement, service: Service): void {
  recordChange(agreement, service.now());
  service.store.changed();
}
