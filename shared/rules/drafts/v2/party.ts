import type { DraftBodyV2, DraftFile } from '../../../contract/drafts.ts';
import type { PdfForm } from '../../../contract/templates.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../../../model/agreement-v2.ts';
import type { Day } from '../../time/days.ts';
import { checkFieldName, type Documents, findFile } from '../parts/documents.ts';
import { type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import { checkEmail, checkMobileV2, checkOrgNoV2, checkPersonNoV2 } from '../parts/identifiers.ts';
import { checkSigningOrder } from '../parts/order.ts';

const EMPTY_FORM: PdfForm = { pages: 0, fields: [], notices: [] };

type PartyV2 = PrivatePartyV2 | CompanyPartyV2;

interface PartyContext {
  readonly body: DraftBodyV2;
  readonly documents: Documents;
  readonly today: Day;
}

/** Checks a person (API v2, "Party (private, in `parties.privates`)"). */
export function checkPrivateV2(
  party: PrivatePartyV2,
  context: PartyContext,
  index: number,
  findings: Findings,
): void {
  const at = `parties.privates.${index}`;
  checkPersonNoV2(party.personNo, context.today, `${at}.personNo`, findings);
  checkParty(party, context, at, findings);
}

/** Checks a company (API v2, "Party (company, in `parties.companies`)"). */
export function checkCompanyV2(
  party: CompanyPartyV2,
  context: PartyContext,
  index: number,
  findings: Findings,
): void {
  const at = `parties.companies.${index}`;
  checkOrgNoV2(party.orgNo, context.today, `${at}.orgNo`, findings);
  for (const [row, person] of (party.allowedPersons ?? []).entries()) {
    const place = `${at}.allowedPersons.${row}`;
    checkPersonNoV2(person.personNo, context.today, `${place}.personNo`, findings);
    checkEmail(person.email, `${place}.email`, findings);
  }
  checkParty(party, context, at, findings);
}

function checkParty(party: PartyV2, context: PartyContext, at: string, findings: Findings): void {
  if (isBlank(party.firstName)) findings.error(`${at}.firstName`, 'required');
  if (isBlank(party.lastName)) findings.error(`${at}.lastName`, 'required');
  if (textOrNullIfEmpty(party.email) === null) findings.error(`${at}.email`, 'email-needed');
  checkEmail(party.email, `${at}.email`, findings);
  const methods = party.signMethods;
  if (methods !== undefined && methods.length !== 1) {
    findings.error(`${at}.signMethods`, 'one-method');
  }
  const needsMobile = methods?.includes('SMS_OTP') === true;
  if (needsMobile && textOrNullIfEmpty(party.mobile) === null) {
    findings.error(`${at}.mobile`, 'mobile-needed');
  }
  checkMobileV2(party.mobile, `${at}.mobile`, findings);
  checkSigningOrder(party.signingOrder, `${at}.signingOrder`, findings);
  checkSignaturePlaces(party, context, `${at}.signMetadata`, findings);
}

/**
 * Checks `signMetadata`, the fields for the drawn signature, if the PDF is available: the service
 * reports a missing field only when someone signs.
 */
function checkSignaturePlaces(
  { signMetadata = [] }: PartyV2,
  { body, documents }: PartyContext,
  at: string,
  findings: Findings,
): void {
  const formOf = (file: DraftFile | null) =>
    file === null ? undefined : documents.forms.get(file.id);
  const attached = body.type === 'ATTACHED' ? (body.attachments ?? []) : [];
  for (const [row, { attachmentIndex, signatureFields }] of signMetadata.entries()) {
    const place = `${at}.${row}`;
    if (body.drawSignature !== true) findings.error(place, 'not-applicable');
    const attachment = attached[attachmentIndex];
    if (attachment === undefined) {
      const rule = 'There is no document with this number. Documents are counted from 0';
      findings.error(`${place}.attachmentIndex`, 'range', rule);
    }
    if (signatureFields.length === 0) findings.error(`${place}.signatureFields`, 'required');
    const file = findFile(documents, attachment?.file);
    // A PDF without fields is not examined, so it has no form in the map.
    const form = file?.fieldCount === 0 ? EMPTY_FORM : formOf(file);
    for (const [index, name] of signatureFields.entries()) {
      const field = `${place}.signatureFields.${index}`;
      if (isBlank(name)) findings.error(field, 'required');
      else checkFieldName(name, form, field, findings);
    }
  }
}
