import { localesV1, type PartyV1 } from '../model/agreement-v1.ts';
import { type Findings, written } from './draft-findings.ts';
import { isEmail } from './email.ts';
import { isE164 } from './phone.ts';

type NotificationsV1 = PartyV1['notifications'];

/** API v1, "Notification"; the party level knows no webhooks. */
export function checkNotificationsV1(
  blocks: NotificationsV1,
  at: string,
  level: 'agreement' | 'party',
  findings: Findings,
): void {
  for (const [index, block] of (blocks ?? []).entries()) {
    const place = `${at}.${index}`;
    checkLocale(block.locale, `${place}.locale`, findings);
    const attaches = block.attachPdf !== undefined && block.attachPdf !== null;
    if (attaches && block.type !== 'SIGNED_BY_ALL') {
      findings.error(`${place}.attachPdf`, 'not-applicable');
    }
    const recipients = block.recipients ?? [];
    if (new Set(recipients.map(({ medium }) => medium)).size > 1) {
      const rule = 'E-mail, text message and webhook need a block each';
      findings.error(`${place}.recipients`, 'content-mismatch', rule);
    }
    for (const [row, { medium, address }] of recipients.entries()) {
      const field = `${place}.recipients.${row}`;
      if (medium === 'WEBHOOK' && level === 'party') {
        findings.error(`${field}.medium`, 'not-applicable');
      } else if (!isAddress(medium, address)) {
        findings.error(`${field}.address`, 'format');
      }
    }
  }
}

/** Anything but the eleven would fall back on the service without a word. */
export function checkLocale(text: string | undefined, at: string, findings: Findings): void {
  const locale = written(text);
  if (locale !== null && !localesV1.some((one) => one === locale)) findings.error(at, 'format');
}

function isAddress(medium: 'EMAIL' | 'SMS' | 'WEBHOOK', address: string): boolean {
  switch (medium) {
    case 'EMAIL':
      return isEmail(address);
    case 'SMS':
      return isE164(address);
    case 'WEBHOOK':
      return /^https?:\/\/[^\s]+$/.test(address);
  }
}
