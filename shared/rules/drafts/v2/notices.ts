import type { DraftBodyV2 } from '../../../contract/drafts.ts';
import { type Day, isDay } from '../../time/days.ts';
import { checkLength, type Findings, isBlank, warnOfRepeats } from '../parts/findings.ts';
import { checkEmail } from '../parts/identifiers.ts';
import { checkWebAddress } from '../parts/links.ts';
import { LONG_TEXT_MAX } from './content.ts';

/**
 * Checks `notificationMessages` (API v2, "notificationMessages"). Absent, null and an empty list
 * are all valid, with different meanings.
 */
export function checkMessagesV2(
  messages: DraftBodyV2['notificationMessages'],
  findings: Findings,
): void {
  const at = (index: number) => `notificationMessages.${index}`;
  for (const [index, message] of (messages ?? []).entries()) {
    checkLength(message.additionalText, LONG_TEXT_MAX, `${at(index)}.additionalText`, findings);
    for (const [row, { email }] of (message.additionalRecipients ?? []).entries()) {
      checkNeededEmail(email, `${at(index)}.additionalRecipients.${row}.email`, findings);
    }
  }
  const types = (messages ?? []).map(({ type }) => type);
  warnOfRepeats(types, (index) => `${at(index)}.type`, findings);
}

/**
 * Checks reminders (API v2, "reminders entry"). `today` is the day in Sweden. If the API's "CET"
 * has no summer time, the day in CET is the same or the previous one.
 */
export function checkRemindersV2(
  reminders: DraftBodyV2['reminders'] = [],
  today: Day,
  findings: Findings,
): void {
  for (const [index, { date, emails, message }] of reminders.entries()) {
    const at = `reminders.${index}`;
    if (isBlank(date)) findings.error(`${at}.date`, 'required');
    else if (!isDay(date)) findings.error(`${at}.date`, 'format');
    else if (date < today) findings.error(`${at}.date`, 'past-day');
    if (emails.length === 0) findings.error(`${at}.emails`, 'email-needed');
    for (const [row, email] of emails.entries()) {
      checkNeededEmail(email, `${at}.emails.${row}`, findings);
    }
    checkLength(message, LONG_TEXT_MAX, `${at}.message`, findings);
  }
}

/** Checks a webhook: at least one event, called by POST (API v2, "Events"). */
export function checkWebhookV2(webhook: DraftBodyV2['webhook'], findings: Findings): void {
  if (webhook === undefined) return;
  if (webhook.events.length === 0) findings.error('webhook.events', 'required');
  warnOfRepeats(webhook.events, (index) => `webhook.events.${index}`, findings);
  checkWebAddress(webhook.url, 'webhook.url', findings);
}

function checkNeededEmail(email: string, at: string, findings: Findings): void {
  if (isBlank(email)) findings.error(at, 'email-needed');
  else checkEmail(email, at, findings);
}
