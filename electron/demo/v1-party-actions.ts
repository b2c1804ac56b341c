import { readJson } from './body.ts';
import { json, noContent, param, requireJsonType, type Answer, type Exchange } from './http.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { findFor, findParty } from './v1-access.ts';
import { emailRule } from './v1-draft.ts';
import { etag, isOpen, requireMatch, touch } from './v1-life.ts';
import { readRecipients } from './v1-read-notifications.ts';
import type { Agreement, Notification, Party } from './v1-record.ts';
import { viewNotification } from './v1-view.ts';

/** Also moves the notifications that went to the old address. */
export function updateEmail(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const agreement = findFor(exchange, service, 'own');
  const party = findParty(exchange, agreement);
  requireMatch(agreement, exchange.headers['if-match']);
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
  const headers = commit(agreement, service);
  return json({ data: { id: party.id, email: address } }, { headers });
}

export function fetchNotification(exchange: Exchange, service: Service): Answer {
  const { agreement, notification } = find(exchange, service);
  return json({ data: viewNotification(notification) }, { headers: { ETag: etag(agreement) } });
}

export function replaceRecipients(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const { agreement, notification } = find(exchange, service);
  requireMatch(agreement, exchange.headers['if-match']);
  const body = readJson(exchange.body);
  const recipients = readRecipients(body, ['EMAIL', 'SMS'], body.items());
  body.finish(400);
  notification.recipients = recipients;
  return json({ data: viewNotification(notification) }, { headers: commit(agreement, service) });
}

export function deleteNotification(exchange: Exchange, service: Service): Answer {
  const { agreement, party, notification } = find(exchange, service);
  requireMatch(agreement, exchange.headers['if-match']);
  party.notifications = party.notifications.filter((one) => one !== notification);
  return noContent(commit(agreement, service));
}

/** Schedules one notification again; nothing leaves this computer. */
export function notifyParty(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const { agreement, party, notification } = find(exchange, service);
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

function find(
  exchange: Exchange,
  service: Service,
): { agreement: Agreement; party: Party; notification: Notification } {
  const agreement = findFor(exchange, service, 'own');
  const party = findParty(exchange, agreement);
  const wanted = param(exchange, 'notificationId');
  const notification = party.notifications.find(({ id }) => id === wanted);
  if (notification === undefined) throw new Refusal(404, 'There is no such notification.');
  return { agreement, party, notification };
}

function commit(agreement: Agreement, service: Service): { ETag: string } {
  touch(agreement, service.now());
  service.store.changed();
  return { ETag: etag(agreement) };
}
