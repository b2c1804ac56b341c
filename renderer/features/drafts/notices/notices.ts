import type { PartyV1 } from '../../../../shared/model/agreement-v1.ts';

export type Notice = NonNullable<PartyV1['notifications']>[number];
export type NoticeEvent = Notice['type'];
export type Medium = NonNullable<Notice['recipients']>[number]['medium'];

/** Events in the order in which they may happen. */
export const noticeEvents = [
  'READY_TO_SIGN',
  'VIEWED',
  'SIGNED',
  'EXPIRY_REMINDER',
  'SIGNED_BY_ALL',
  'REJECTED',
  'REVOKED',
  'EXPIRED',
] as const satisfies readonly NoticeEvent[];

/** API v1, "Notification": the placeholder that the standard emails use. */
export const MESSAGE_PLACEHOLDER = 'message';

/** Absent, empty or chosen messages are three different requests (API v1). */
export type NoticeChoice = 'standard' | 'none' | 'custom';

interface NotificationOwner {
  notifications?: Notice[] | undefined;
}

export function choiceOf({ notifications }: NotificationOwner): NoticeChoice {
  if (notifications === undefined) return 'standard';
  return notifications.length === 0 ? 'none' : 'custom';
}

/** The most common choices: the invitation, and the message that all have signed. */
const DEFAULT_NOTICE_EVENTS = ['READY_TO_SIGN', 'SIGNED_BY_ALL'] as const;

export function choose(owner: NotificationOwner, choice: NoticeChoice): void {
  if (choice === choiceOf(owner)) return;
  if (choice === 'standard') delete owner.notifications;
  else
    owner.notifications = choice === 'none' ? [] : DEFAULT_NOTICE_EVENTS.map((type) => ({ type }));
}

/**
 * Returns the medium of a block; a block without recipients is sent to the default email address.
 */
export function mediumOf({ recipients = [] }: Notice): Medium {
  return recipients[0]?.medium ?? 'EMAIL';
}

export function placesOf(notices: readonly Notice[], type: NoticeEvent, medium: Medium): number[] {
  return notices.flatMap((one, place) =>
    one.type === type && mediumOf(one) === medium ? [place] : [],
  );
}

/** Turns a message on or off. Turning off the last one leaves none, which is a valid choice. */
export function toggle(
  notices: Notice[],
  type: NoticeEvent,
  medium: Medium,
  address: string,
): void {
  const places = placesOf(notices, type, medium);
  if (places.length === 0) {
    const recipients = medium === 'EMAIL' ? {} : { recipients: [{ medium, address }] };
    notices.splice(indexForNotice(notices, type), 0, { type, ...recipients });
  } else {
    for (const place of places.toReversed()) notices.splice(place, 1);
  }
}

function indexForNotice(notices: readonly Notice[], type: NoticeEvent): number {
  const rank = noticeEvents.indexOf(type);
  const at = notices.findIndex((one) => noticeEvents.indexOf(one.type) > rank);
  return at < 0 ? notices.length : at;
}

export function isMixed({ recipients = [] }: Notice): boolean {
  return new Set(recipients.map(({ medium }) => medium)).size > 1;
}

/** API v1, "Rules for the `notifications` array": a separate block for each medium. */
export function separateMedia(notices: readonly Notice[]): Notice[] {
  return notices.flatMap((one) => {
    if (!isMixed(one)) return [one];
    const media = [...new Set((one.recipients ?? []).map(({ medium }) => medium))];
    return media.map((medium) => ({
      ...one,
      recipients: (one.recipients ?? []).filter((recipient) => recipient.medium === medium),
    }));
  });
}
