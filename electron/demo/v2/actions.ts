import { readJson, type Place } from '../server/body.ts';
import { isOurs } from '../events/counterpart.ts';
import { bytes, json, text, type Answer, type Exchange } from '../server/http.ts';
import { planLegacyCounterpartAct } from '../events/passing-time.ts';
import { fieldNames } from '../pdf/pdf.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { findLegacy, requireOwner } from './access.ts';
import {
  isPosted,
  isSameNumber,
  rejectLegacy,
  revokeLegacy,
  signLegacy,
} from '../state/life-v2.ts';
import { requireFutureDay } from './read-notices.ts';
import { LONG_TEXT_MAX } from './read-content.ts';
import { emailRule, orgNoRule, personNoRule } from './read-parties.ts';
import type { LegacyAgreement, LegacyParty } from '../state/record-v2.ts';
import { viewLegacy } from './view.ts';

export function getLegacy(exchange: Exchange, service: Service): Answer {
  return json(viewLegacy(findLegacy(exchange, service), 'fetch', service.behaviour.v2Zone));
}

/** Downloads the PDF of an agreement; an open agreement has one of its current state. */
export async function downloadLegacy(exchange: Exchange, service: Service): Promise<Answer> {
  const agreement = findLegacy(exchange, service);
  return bytes('application/pdf', await service.pdfs.ofLegacy(agreement));
}

export function listFields(exchange: Exchange, service: Service): Answer {
  const { referenceNumber, templateId, fields } = findLegacy(exchange, service);
  if (templateId === null) throw new Refusal(400, 'The agreement is not of the PDF type.');
  return json({ referenceNumber, dynamicPdfId: templateId, fields });
}

export function rejectAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findLegacy(exchange, service);
  const body = readJson(exchange.body).object(['partyType', 'personNo', 'orgNo']);
  const kind = body.get('partyType').needChoice(['PRIVATE', 'COMPANY']);
  const personNo = withoutHyphens(body.get('personNo').needText(personNoRule));
  const orgNo = kind === 'COMPANY' ? withoutHyphens(body.get('orgNo').needText(orgNoRule)) : null;
  body.finish(400);
  requirePosted(agreement);
  const party = agreement.parties.find((one) =>
    one.kind === 'PRIVATE'
      ? orgNo === null && one.personNo !== null && isSameNumber(one.personNo, personNo)
      : orgNo !== null && isSameNumber(one.orgNo ?? '', orgNo) && isAllowed(one, personNo),
  );
  if (party === undefined) throw new Refusal(403, 'The person belongs to no party.');
  rejectLegacy(agreement, party, { at: service.now(), personNo });
  service.store.changed();
  const rejectedBy = { personNo, ...(orgNo === null ? {} : { orgNo }) };
  return json({ referenceNumber: agreement.referenceNumber, rejectedBy });
}

export function revokeAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findLegacy(exchange, service);
  requireOwner(agreement);
  requirePosted(agreement);
  revokeLegacy(agreement, service.now());
  service.store.changed();
  return json(viewLegacy(agreement, 'revoke', service.behaviour.v2Zone));
}

/** Deletes an agreement, which must be rejected; the response is a text. */
export function deleteLegacy(exchange: Exchange, service: Service): Answer {
  const { store } = service;
  if (store.deletedReferences.has(exchange.params['referenceNumber'] ?? '')) {
    throw new Refusal(403, 'The agreement is already deleted.');
  }
  const { status, referenceNumber } = findLegacy(exchange, service);
  if (status !== 'REJECTED') throw new Refusal(403, 'Only a rejected agreement can be deleted.');
  store.legacy.delete(referenceNumber);
  store.deletedReferences.add(referenceNumber);
  store.changed();
  return text(`Agreement ${referenceNumber} has been deleted.`);
}

export async function signForCompany(exchange: Exchange, service: Service): Promise<Answer> {
  const agreement = findLegacy(exchange, service);
  const request = readSignature(readJson(exchange.body), service.now());
  const { orgNo, personNo } = request;
  const party = agreement.parties.find(
    (one) => isOurs(one) && isSameNumber(one.orgNo ?? '', orgNo),
  );
  if (party === undefined)
    throw new Refusal(403, 'The company is not a party the key may sign for.');
  await requireSignatureFields(agreement, party, service);
  requirePosted(agreement);
  if (party.status !== 'NOT_SIGNED') throw new Refusal(403, 'The party has already signed.');
  if (!isAllowed(party, personNo))
    throw new Refusal(403, 'The person may not sign for the company.');
  const at = service.now();
  signLegacy(agreement, party, { at, personNo, signedOn: request.signedOn ?? at, isApi: true });
  planLegacyCounterpartAct(agreement, service, at);
  service.store.changed();
  return json({ referenceNumber: agreement.referenceNumber, signedBy: { orgNo, personNo } });
}

export function shareAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findLegacy(exchange, service);
  requireOwner(agreement);
  const body = readJson(exchange.body).object([
    ...['shareWithType', 'personNo', 'orgNo', 'email', 'message', 'shareType', 'date'],
  ]);
  const isPerson = body.get('shareWithType').needChoice(['PERSON', 'ORGANIZATION']) === 'PERSON';
  body.get(isPerson ? 'orgNo' : 'personNo').forbid('Belongs to the other shareWithType.');
  const sharedWith = withoutHyphens(
    isPerson ? body.get('personNo').needText(personNoRule) : body.get('orgNo').needText(orgNoRule),
  );
  body.get('email').needText(emailRule);
  body.get('message').text({ max: LONG_TEXT_MAX, allowEmpty: true });
  const isPermanent = body.get('shareType').needChoice(['PERMANENT', 'TILL_DATE']) === 'PERMANENT';
  if (isPermanent) body.get('date').forbid('Only for TILL_DATE.');
  const till = isPermanent ? null : requireFutureDay(body.get('date'), service.now());
  body.finish(400);
  agreement.shares.push({ with: sharedWith, till });
  service.store.changed();
  const shareType = till === null ? 'permanent' : `till ${till}`;
  return json({ referenceNumber: agreement.referenceNumber, sharedWith, shareType });
}

function readSignature(body: Place, now: number) {
  body.object(['partyType', 'orgNo', 'personNo', 'firstName', 'lastName', 'signedOn']);
  body.get('partyType').needChoice(['COMPANY']);
  body.get('firstName').needText();
  body.get('lastName').needText();
  const signedOn = body.get('signedOn').text({
    form: (value) => /^\d{12,14}$/.test(value) && Number(value) <= now,
    called: 'past milliseconds since 1970 as text',
  });
  const orgNo = withoutHyphens(body.get('orgNo').needText(orgNoRule));
  const personNo = withoutHyphens(body.get('personNo').needText(personNoRule));
  body.finish(400);
  return { orgNo, personNo, signedOn: signedOn === null ? null : Number(signedOn) };
}

/**
 * Throws if a PDF field for a drawn signature is missing; the create request does not check this.
 */
async function requireSignatureFields(
  { attachments }: LegacyAgreement,
  party: LegacyParty,
  { store }: Service,
): Promise<void> {
  for (const { attachment, names } of party.signatureFields) {
    const blob = attachments[attachment]?.blob;
    const known = blob === undefined ? null : await fieldNames(store.blob(blob));
    const missing = names.find((name) => known?.includes(name) !== true);
    if (missing !== undefined) {
      throw new Refusal(400, `The PDF has no field '${missing}' for the signature.`);
    }
  }
}

function requirePosted(agreement: LegacyAgreement): void {
  if (!isPosted(agreement)) {
    throw new Refusal(403, `The agreement is ${agreement.status} already.`);
  }
}

function isAllowed({ allowedPersons }: LegacyParty, personNo: string): boolean {
  return allowedPersons.length === 0 || allowedPersons.some((one) => isSameNumber(one, personNo));
}

function withoutHyphens(number: string): string {
  return number.replaceAll('-', '');
}
