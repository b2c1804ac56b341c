import type { PartyNotification } from '../../shared/model/remote-extras.ts';
import { formatDateTime, formatNames } from './format.ts';
import { m } from './language.svelte.ts';
import { joinFacts } from './join-facts.ts';

/** The service's types of notifications; unknown ones are shown as the service names them. */
const notificationTypeNames: Readonly<Record<string, () => string>> = {
  READY_TO_SIGN: m.notification_ready_to_sign,
  SIGNED: m.notification_signed,
  SIGNED_BY_ALL: m.notification_signed_by_all,
  REJECTED: m.notification_rejected,
  REVOKED: m.notification_revoked,
  EXPIRY_REMINDER: m.notification_expiry_reminder,
  EXPIRED: m.notification_expired,
  VIEWED: m.notification_viewed,
};

export const notificationName = (type: string): string => notificationTypeNames[type]?.() ?? type;

/** Recipients, such as `asa@example.com, +46701234567`, or a text that there are none. */
export function recipientsText(recipients: PartyNotification['recipients']): string {
  if (recipients === null) return m.notifications_untold();
  if (recipients.length === 0) return m.notification_nobody();
  return formatNames(recipients.map(({ address }) => address));
}

/** Other settings of a notification in one line; empty if there are none. */
export function notificationText(notification: PartyNotification): string {
  const { locale, timeZone, templateId, attachPdf, sendsAt } = notification;
  return joinFacts([
    locale ?? '',
    timeZone ?? '',
    templateId === null ? '' : m.notification_template({ id: templateId }),
    attachPdf === true ? m.notification_pdf() : '',
    sendsAt === null ? '' : m.notification_sends({ when: formatDateTime(sendsAt) }),
    ...Object.entries(notification.placeholders).map(([name, value]) => `${name}: ${value}`),
  ]);
}
