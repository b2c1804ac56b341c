import type { DraftBodyV2 } from '../../../contract/drafts.ts';
import { dayOf } from '../../time/days.ts';
import type { Documents } from '../parts/documents.ts';
import { checkLength, type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import { warnOfSamePersonV2 } from '../parts/people.ts';
import { checkContentV2 } from './content.ts';
import { checkMessagesV2, checkRemindersV2, checkWebhookV2 } from './notices.ts';
import { checkCompanyV2, checkPrivateV2 } from './party.ts';

const MAX_EXPIRE_DAYS = 99;
const MAX_DRAWN_SIGNATURE_MESSAGE_LENGTH = 120;

/** Checks every rule of API v2, "Agreement request (create)". */
export function checkV2(
  body: DraftBodyV2,
  documents: Documents,
  now: number,
  findings: Findings,
): void {
  const today = dayOf(now);
  if (isBlank(body.name)) findings.error('name', 'required');
  checkDays(body.expireIn, findings);
  checkSignatureMessage(body, findings);
  checkContentV2(body, documents, findings);
  checkMessagesV2(body.notificationMessages, findings);
  checkRemindersV2(body.reminders, today, findings);
  checkWebhookV2(body.webhook, findings);
  const { privates, companies } = body.parties;
  if (privates.length + companies.length === 0) findings.error('parties', 'no-party');
  const context = { body, documents, today };
  for (const [index, party] of privates.entries()) checkPrivateV2(party, context, index, findings);
  for (const [index, party] of companies.entries()) checkCompanyV2(party, context, index, findings);
  warnOfSamePersonV2(body, today, findings);
}

/** Checks the days until automatic rejection; 0: the agreement expires on the day of sending. */
function checkDays(days: number | undefined, findings: Findings): void {
  if (days === undefined) return;
  if (!Number.isInteger(days) || days < 0 || days > MAX_EXPIRE_DAYS) {
    findings.error(
      'expireIn',
      'range',
      `Enter a whole number of days from 0 to ${MAX_EXPIRE_DAYS}`,
    );
  } else if (days === 0) findings.warn('expireIn', 'ends-today');
}

function checkSignatureMessage(body: DraftBodyV2, findings: Findings): void {
  const message = textOrNullIfEmpty(body.signatureMessage);
  if (message === null) return;
  if (body.drawSignature !== true) findings.error('signatureMessage', 'not-applicable');
  checkLength(message, MAX_DRAWN_SIGNATURE_MESSAGE_LENGTH, 'signatureMessage', findings);
}
