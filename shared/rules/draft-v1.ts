import type { DraftBodyV1 } from '../contract/drafts.ts';
import { dayOf } from './days.ts';
import {
  checkSignatureText,
  checkValues,
  type Documents,
  findFile,
  isPdf,
} from './draft-documents.ts';
import { type Findings, isBlank, lengthOf, written } from './draft-findings.ts';
import { checkTags } from './draft-tags.ts';
import { checkLocale, checkNotificationsV1 } from './draft-v1-notifications.ts';
import { checkPartyV1 } from './draft-v1-party.ts';
import { parseV1 } from './wire-time.ts';

const DAY = 86_400_000;
const SHORT_NAME_MAX = 11;

type AttachmentDraft = DraftBodyV1['attachments'][number];

/** Every rule of API v1's create body for what the desk lets a person write. */
export function checkV1(
  body: DraftBodyV1,
  documents: Documents,
  now: number,
  findings: Findings,
): void {
  if (isBlank(body.title)) findings.error('title', 'required');
  checkTimes(body, now, findings);
  checkConfigurations(body, now, findings);
  checkAttachments(body, documents, findings);
  if (body.parties.length === 0) findings.error('parties', 'no-party');
  const today = dayOf(now);
  for (const [index, party] of body.parties.entries()) {
    checkPartyV1(party, today, `parties.${index}`, findings);
  }
  checkNotificationsV1(body.notifications, 'notifications', 'agreement', findings);
  checkTags(body.tags, findings);
}

function checkTimes(body: DraftBodyV1, now: number, findings: Findings): void {
  const expires = checkFuture(body.expireOn, 'expireOn', now, findings);
  const deletes = checkFuture(body.deleteOn, 'deleteOn', now, findings);
  if (expires !== null && deletes !== null && expires >= deletes) {
    findings.error('expireOn', 'expiry-after-deletion');
  }
  if (written(body.expireOn) === null) findings.warn('expireOn', 'no-expiry');
}

function checkFuture(
  text: string | undefined,
  at: string,
  now: number,
  findings: Findings,
): number | null {
  const stamp = written(text);
  if (stamp === null) return null;
  const time = parseV1(stamp);
  if (time === null) findings.error(at, 'format');
  else if (time <= now) findings.error(at, 'not-future');
  return time;
}

function checkConfigurations(body: DraftBodyV1, now: number, findings: Findings): void {
  const expires = parseV1(body.expireOn ?? '');
  for (const [index, one] of (body.configurations ?? []).entries()) {
    const at = `configurations.${index}`;
    checkLocale(one.locale, `${at}.locale`, findings);
    if (lengthOf(one.companyShortName ?? '') > SHORT_NAME_MAX) {
      findings.error(`${at}.companyShortName`, 'too-long');
    }
    const reminds = checkFuture(
      one.sendExpiryReminderOn,
      `${at}.sendExpiryReminderOn`,
      now,
      findings,
    );
    if (reminds !== null && (expires === null || reminds > expires - DAY)) {
      const rule = 'The reminder must go out at least a day before signing closes';
      findings.error(`${at}.sendExpiryReminderOn`, 'range', rule);
    }
  }
}

function checkAttachments(body: DraftBodyV1, documents: Documents, findings: Findings): void {
  if (!body.attachments.some(({ category }) => category === 'AGREEMENT')) {
    findings.error('attachments', 'no-agreement-document');
  }
  const canDraw = (party: number) =>
    body.parties[party]?.signingConfigurations.some(({ type }) => type === 'DRAW') ?? false;
  for (const [index, one] of body.attachments.entries()) {
    const at = `attachments.${index}`;
    checkAttachment(one, at, documents, findings);
    for (const [place, { value }] of (one.fields ?? []).entries()) {
      checkSignatureText(value, canDraw, `${at}.fields.${place}.value`, findings);
    }
  }
}

function checkAttachment(
  one: AttachmentDraft,
  at: string,
  documents: Documents,
  findings: Findings,
): void {
  const hasFields = one.fields !== undefined && one.fields.length > 0;
  if (one.type === 'TOKEN') {
    if (isBlank(one.token)) findings.error(`${at}.token`, 'required');
    if (one.file !== undefined) findings.error(`${at}.file`, 'not-applicable');
    if (hasFields) findings.error(`${at}.fields`, 'not-applicable');
    return;
  }
  if (one.token !== undefined) findings.error(`${at}.token`, 'not-applicable');
  const file = findFile(documents, one.file);
  if (file === null) {
    findings.error(`${at}.file`, 'file-missing');
    return;
  }
  if (!isPdf(file)) {
    const onlyPdf =
      'Only a PDF can be part of the agreement; this file can go along as a reference';
    if (one.category === 'AGREEMENT') findings.error(`${at}.category`, 'content-mismatch', onlyPdf);
    if (hasFields) findings.error(`${at}.fields`, 'not-applicable');
  }
  if (file.notices.includes('already-signed')) findings.warn(`${at}.file`, 'already-signed');
  checkValues(one.fields ?? [], documents.forms.get(file.id), `${at}.fields`, findings);
}
