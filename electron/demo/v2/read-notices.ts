import type { Place } from '../server/body.ts';
import { isHttpUrl } from '../server/formats.ts';
import { parseWallStamp, toStockholmDay } from '../server/stamps.ts';
import { LONG_TEXT_MAX } from './read-content.ts';
import { emailRule } from './read-parties.ts';

const MAX_SIGNATURE_MESSAGE_LENGTH = 120;

/** Checks the email, drawing and callback settings of a create request. */
export function checkNotices(body: Place, now: number): { drawSignature: boolean } {
  const drawSignature = body.get('drawSignature').flag() ?? false;
  const message = body.get('signatureMessage');
  message.text({ max: MAX_SIGNATURE_MESSAGE_LENGTH });
  if (!drawSignature) message.forbid('Only with drawSignature true.');
  body.get('hideUnsigned').flag();
  body.get('allowEmailSigning').flag();
  checkTbs(body.get('additionalTBS'));
  // For this field, null means "no notifications at all", unlike for any other field.
  if (!body.get('notificationMessages').isNull) {
    for (const item of body.get('notificationMessages').items()) checkMessage(item);
  }
  for (const item of body.get('reminders').items()) checkReminder(item, now);
  checkWebhook(body.get('webhook'));
  return { drawSignature };
}

/** Reads a day `yyyy-MM-dd`, which must be today in Stockholm or later. */
export function requireFutureDay(place: Place, now: number): string {
  const day = place.needText({
    form: (text) => text.length === 10 && parseWallStamp(text, 'start') !== null,
    called: 'a day yyyy-MM-dd',
  });
  if (day !== '' && day < toStockholmDay(now)) place.refuse('range', 'Must be today or later.');
  return day;
}

function checkTbs(place: Place): void {
  if (!place.isPresent) return;
  place.object(['senderInfo', 'description']);
  place.get('senderInfo').text();
  place.get('description').text();
}

function checkMessage(item: Place): void {
  item.object(['type', 'additionalText', 'additionalRecipients']);
  item
    .get('type')
    .needChoice([
      'posted',
      'rejected',
      'autoRejectionReminder',
      'autoRejection',
      'signed',
      'closed',
    ]);
  item.get('additionalText').text({ max: LONG_TEXT_MAX, allowEmpty: true });
  for (const recipient of item.get('additionalRecipients').items()) {
    recipient.object(['firstName', 'lastName', 'email']);
    recipient.get('firstName').text();
    recipient.get('lastName').text();
    recipient.get('email').needText(emailRule);
  }
}

function checkReminder(item: Place, now: number): void {
  item.object(['date', 'emails', 'message']);
  requireFutureDay(item.get('date'), now);
  for (const email of item.get('emails').needItems()) email.needText(emailRule);
  item.get('message').text({ max: LONG_TEXT_MAX, allowEmpty: true });
}

function checkWebhook(place: Place): void {
  if (!place.isPresent) return;
  place.object(['events', 'url']);
  for (const event of place.get('events').needItems()) {
    event.needChoice(['POSTED', 'SIGNED', 'SIGNED_BY_ALL', 'REJECTED']);
  }
  place.get('url').needText({ form: isHttpUrl, called: 'an http or https URL' });
}
