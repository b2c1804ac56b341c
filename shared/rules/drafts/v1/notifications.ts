import type { PartyV1 } from '../../../model/agreement-v1.ts';
import { type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import { checkEmail, checkMobileV1 } from '../parts/identifiers.ts';
import { checkWebAddress } from '../parts/links.ts';
import { checkRegional } from '../parts/regional.ts';

type NotificationV1 = NonNullable<PartyV1['notifications']>[number];
type RecipientV1 = NonNullable<NotificationV1['recipients']>[number];

const NOTIFICATION_PLACEHOLDER_PATTERN = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** Checks notifications; a party cannot have webhooks (API v1, "Notification"). */
export function checkNotificationsV1(
  blocks: readonly NotificationV1[] = [],
  at: string,
  level: 'agreement' | 'party',
  findings: Findings,
): void {
  for (const [index, block] of blocks.entries()) {
    const place = `${at}.${index}`;
    checkRegional(block, place, findings);
    const attaches = block.attachPdf !== undefined && block.attachPdf !== null;
    if (attaches && block.type !== 'SIGNED_BY_ALL') {
      findings.error(`${place}.attachPdf`, 'not-applicable');
    }
    warnOfBlanks(block.placeholders, `${place}.placeholders`, findings);
    checkRecipients(block.recipients, `${place}.recipients`, level, findings);
    warnOfUndelivered(block, place, findings);
  }
}

/** Checks for one medium per block (API v1, "Rules for the `notifications` array"). */
function checkRecipients(
  recipients: readonly RecipientV1[] = [],
  at: string,
  level: 'agreement' | 'party',
  findings: Findings,
): void {
  if (new Set(recipients.map(({ medium }) => medium)).size > 1) {
    const rule = 'Email, text message and webhook need a separate notification each';
    findings.error(at, 'content-mismatch', rule);
  }
  for (const [row, { medium, address }] of recipients.entries()) {
    if (medium === 'WEBHOOK' && level === 'party') {
      findings.error(`${at}.${row}.medium`, 'not-applicable');
    } else checkAddress(medium, address, `${at}.${row}.address`, findings);
  }
}

function checkAddress(
  medium: RecipientV1['medium'],
  address: string,
  at: string,
  findings: Findings,
): void {
  if (isBlank(address)) {
    findings.error(at, 'required');
    return;
  }
  switch (medium) {
    case 'EMAIL':
      checkEmail(address, at, findings);
      return;
    case 'SMS':
      checkMobileV1(address, at, findings);
      return;
    case 'WEBHOOK':
      checkWebAddress(address, at, findings);
  }
}

/** Warns of placeholders without a value, which render blank (API v1, "Notification"). */
function warnOfBlanks(
  placeholders: Readonly<Record<string, string>> = {},
  at: string,
  findings: Findings,
): void {
  for (const [name, value] of Object.entries(placeholders)) {
    const named = [...value.matchAll(NOTIFICATION_PLACEHOLDER_PATTERN)].map(
      ([, inner = '']) => inner,
    );
    const isOpen = named.some((inner) => !Object.hasOwn(placeholders, inner));
    if (isBlank(name) || isBlank(value) || isOpen) findings.warn(`${at}.${name}`, 'blank');
  }
}

/** Warns of settings without an effect: a webhook always uses `en_US` (API v1, "Locales"). */
function warnOfUndelivered(block: NotificationV1, at: string, findings: Findings): void {
  const isHook = block.recipients?.some(({ medium }) => medium === 'WEBHOOK') === true;
  if (isHook && textOrNullIfEmpty(block.locale) !== null) {
    findings.warn(`${at}.locale`, 'not-applicable', 'Webhooks always use en_US');
  }
}
