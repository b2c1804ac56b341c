import type { Place } from '../server/body.ts';
import { DAY } from '../server/stamps.ts';
import { emailRule, mobileRule, timeZoneRule, urlRule, type Draft } from './draft.ts';
import type {
  Configuration,
  Notification,
  NotificationType,
  Recipient,
} from '../state/record-v1.ts';
import { parseCompactStamp } from '../server/stamps.ts';

const NOTIFICATION_TYPES: readonly [NotificationType, ...NotificationType[]] = [
  'READY_TO_SIGN',
  'SIGNED',
  'SIGNED_BY_ALL',
  'REJECTED',
  'REVOKED',
  'EXPIRY_REMINDER',
  'EXPIRED',
  'VIEWED',
];
const NOTIFICATION_FIELDS = [
  'type',
  'templateId',
  'locale',
  'timeZone',
  'placeholders',
  'attachPdf',
  'recipients',
];
const addressRules = { EMAIL: emailRule, SMS: mobileRule, WEBHOOK: urlRule } as const;

interface NotificationRules {
  readonly media: readonly ['EMAIL', 'SMS'] | readonly ['EMAIL', 'SMS', 'WEBHOOK'];
  /** Recipient if the request names none; null if the party has no address. */
  readonly usualAddress: string | null;
  readonly configurations: readonly Configuration[];
}

/**
 * Reads the notifications of a party. If they are omitted, every event is sent to the usual
 * address; if the array is empty, nothing is sent. A block without recipients is sent to the usual
 * address (API v1, "Notification").
 */
export function readNotifications(
  place: Place,
  rules: NotificationRules,
  draft: Draft,
): Notification[] {
  if (!place.isPresent) {
    return rules.usualAddress === null
      ? []
      : NOTIFICATION_TYPES.map((type) => defaultNotification(type, rules, draft));
  }
  return place.items().map((item) => readNotification(item, rules, draft));
}

/**
 * Reads the recipients of a block, in a create request or as a replacement. They must all have the
 * same medium.
 */
export function readRecipients(
  place: Place,
  media: NotificationRules['media'],
  fields: readonly Place[],
): Recipient[] {
  const recipients = fields.map((item) => {
    item.object(['medium', 'address']);
    const medium = item.get('medium').needChoice(media);
    return { medium, address: item.get('address').needText(addressRules[medium]) };
  });
  if (new Set(recipients.map(({ medium }) => medium)).size > 1) {
    place.refuse('conflict', 'Recipients of different media cannot share one block.');
  }
  return recipients;
}

function readNotification(item: Place, rules: NotificationRules, draft: Draft): Notification {
  item.object(NOTIFICATION_FIELDS);
  const type = item.get('type').needChoice(NOTIFICATION_TYPES);
  const attachPdf = item.get('attachPdf').isNull ? null : item.get('attachPdf').flag();
  if (attachPdf !== null && type !== 'SIGNED_BY_ALL') {
    item.get('attachPdf').forbid('Only for SIGNED_BY_ALL.');
  }
  const recipients = item.get('recipients');
  return {
    ...defaultNotification(type, rules, draft),
    templateId: item.get('templateId').text(),
    locale: item.get('locale').text(),
    timeZone: item.get('timeZone').text(timeZoneRule),
    placeholders: readPlaceholders(item.get('placeholders')),
    attachPdf,
    recipients: recipients.isPresent
      ? readRecipients(recipients, rules.media, recipients.items())
      : defaultRecipients(rules),
  };
}

function readPlaceholders(place: Place): Record<string, string> {
  if (place.isPresent) place.object(place.keys());
  const pairs: [string, string][] = place
    .keys()
    .map((key) => [key, place.get(key).text({ allowEmpty: true }) ?? '']);
  return Object.fromEntries(pairs);
}

function defaultNotification(
  type: NotificationType,
  rules: NotificationRules,
  draft: Draft,
): Notification {
  return {
    id: draft.store.uuid(),
    type,
    templateId: null,
    locale: null,
    timeZone: null,
    placeholders: {},
    attachPdf: null,
    sendOn: type === 'EXPIRY_REMINDER' ? reminderTime(rules, draft) : null,
    recipients: defaultRecipients(rules),
  };
}

function defaultRecipients({ usualAddress }: NotificationRules): Recipient[] {
  return usualAddress === null ? [] : [{ medium: 'EMAIL', address: usualAddress }];
}

/**
 * Returns the time of the expiry reminder (epoch ms): the configured time, otherwise one day before
 * the agreement expires.
 */
function reminderTime({ configurations }: NotificationRules, draft: Draft): number | null {
  const set = configurations.find(({ sendExpiryReminderOn }) => sendExpiryReminderOn !== undefined);
  const configured = parseCompactStamp(String(set?.['sendExpiryReminderOn'] ?? ''));
  if (configured !== null) return configured;
  return draft.expireOn === null ? null : draft.expireOn - DAY;
}
