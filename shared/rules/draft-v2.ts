import type { DraftBodyV2 } from '../contract/drafts.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../model/agreement-v2.ts';
import { type Day, dayOf } from './days.ts';
import { checkValues, type Documents, findFile, isPdf } from './draft-documents.ts';
import { type Findings, isBlank, lengthOf, written } from './draft-findings.ts';
import { checkEmail, checkMobileV2, checkOrgNoV2, checkPersonNoV2 } from './draft-identifiers.ts';
import { checkOrder } from './draft-v1-party.ts';

const DAYS_MAX = 99;
const TEXT_MAX = 30_000;
const SIGNATURE_MESSAGE_MAX = 120;
/** From here on the files must be uploaded first; megabytes and raw bytes, the careful reading. */
const INLINE_BELOW = 4_000_000;

const NOT_SENT = 'This is not sent with the chosen kind of agreement';

type PartyV2 = PrivatePartyV2 | CompanyPartyV2;

/** Every rule of API v2's create body for what the desk lets a person write. */
export function checkV2(
  body: DraftBodyV2,
  documents: Documents,
  now: number,
  findings: Findings,
): void {
  if (isBlank(body.name)) findings.error('name', 'required');
  const days = body.expireIn;
  if (days !== undefined && (!Number.isInteger(days) || days < 0 || days > DAYS_MAX)) {
    findings.error('expireIn', 'range', 'Whole days from 0 to 99');
  }
  checkSignatureMessage(body, findings);
  checkContent(body, documents, findings);
  const { privates, companies } = body.parties;
  if (privates.length + companies.length === 0) findings.error('parties', 'no-party');
  const today = dayOf(now);
  for (const [index, party] of privates.entries()) checkPrivate(party, today, index, findings);
  for (const [index, party] of companies.entries()) checkCompany(party, today, index, findings);
}

function checkSignatureMessage(body: DraftBodyV2, findings: Findings): void {
  const message = written(body.signatureMessage);
  if (message === null) return;
  if (body.drawSignature !== true) findings.error('signatureMessage', 'not-applicable');
  if (lengthOf(message) > SIGNATURE_MESSAGE_MAX) findings.error('signatureMessage', 'too-long');
}

/** The kind says what the content is; what was written for another kind is not sent. */
function checkContent(body: DraftBodyV2, documents: Documents, findings: Findings): void {
  const { type, text, dynamicPdf, attachments = [] } = body;
  if (type === 'FREE_TEXT') {
    if (isBlank(text)) findings.error('text', 'required');
    else if (lengthOf(text ?? '') > TEXT_MAX) findings.error('text', 'too-long');
  } else if (written(text) !== null) findings.warn('text', 'content-mismatch', NOT_SENT);
  if (type !== 'DYNAMIC_PDF') {
    if (dynamicPdf !== undefined) findings.warn('dynamicPdf', 'content-mismatch', NOT_SENT);
  } else if (isBlank(dynamicPdf?.templateId)) {
    findings.error('dynamicPdf.templateId', 'required');
  }
  if (type === 'ATTACHED') checkAttachments(attachments, documents, findings);
  else if (attachments.length > 0) findings.warn('attachments', 'content-mismatch', NOT_SENT);
}

function checkAttachments(
  attachments: NonNullable<DraftBodyV2['attachments']>,
  documents: Documents,
  findings: Findings,
): void {
  if (attachments.length === 0) findings.error('attachments', 'no-agreement-document');
  let bytes = 0;
  for (const [index, one] of attachments.entries()) {
    const at = `attachments.${index}`;
    const file = findFile(documents, one.file);
    if (file === null) {
      findings.error(`${at}.file`, 'file-missing');
      continue;
    }
    bytes += file.bytes;
    const values = one.fields ?? [];
    if (!isPdf(file) && values.length > 0) findings.error(`${at}.fields`, 'not-applicable');
    if (file.notices.includes('already-signed')) {
      // Merging rewrites the file, and the signature in it would be void.
      if (values.length > 0) findings.error(`${at}.fields`, 'already-signed');
      else findings.warn(`${at}.file`, 'already-signed');
    }
    checkValues(values, documents.forms.get(file.id), `${at}.fields`, findings);
  }
  if (bytes >= INLINE_BELOW) {
    findings.error('attachments', 'too-large', 'Together the files must stay below 4 MB');
  }
}

function checkPrivate(party: PrivatePartyV2, today: Day, index: number, findings: Findings): void {
  const at = `parties.privates.${index}`;
  checkPersonNoV2(party.personNo, today, `${at}.personNo`, findings);
  checkParty(party, at, findings);
}

function checkCompany(party: CompanyPartyV2, today: Day, index: number, findings: Findings): void {
  const at = `parties.companies.${index}`;
  checkOrgNoV2(party.orgNo, today, `${at}.orgNo`, findings);
  for (const [row, person] of (party.allowedPersons ?? []).entries()) {
    const place = `${at}.allowedPersons.${row}`;
    checkPersonNoV2(person.personNo, today, `${place}.personNo`, findings);
    checkEmail(person.email, `${place}.email`, findings);
  }
  checkParty(party, at, findings);
}

function checkParty(party: PartyV2, at: string, findings: Findings): void {
  if (isBlank(party.firstName)) findings.error(`${at}.firstName`, 'required');
  if (isBlank(party.lastName)) findings.error(`${at}.lastName`, 'required');
  if (written(party.email) === null) findings.error(`${at}.email`, 'email-needed');
  checkEmail(party.email, `${at}.email`, findings);
  const methods = party.signMethods;
  if (methods !== undefined && methods.length !== 1) {
    findings.error(`${at}.signMethods`, 'one-method');
  }
  const needsMobile = methods?.includes('SMS_OTP') === true;
  if (needsMobile && written(party.mobile) === null)
    findings.error(`${at}.mobile`, 'mobile-needed');
  checkMobileV2(party.mobile, `${at}.mobile`, findings);
  checkOrder(party.signingOrder, `${at}.signingOrder`, findings);
}
