import type { DraftBodyV1 } from '../../../contract/drafts.ts';
import {
  checkSignatureText,
  checkValues,
  type Documents,
  findFile,
  isPdf,
  warnOfSameFiles,
} from '../parts/documents.ts';
import { type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import { checkStamp } from '../parts/times.ts';
import { warnOfOtherId } from './access.ts';
import { signatureOf } from '../../forms/signature-text.ts';

const SERVICE_PLACES_SIGNATURE_MESSAGE =
  'A drawn signature is placed by the service, which then fills the whole PDF';

type AttachmentDraft = DraftBodyV1['attachments'][number];

/** Checks attachments (API v1, "Attachment (request)" and "Field (attachment field)"). */
export function checkAttachmentsV1(
  body: DraftBodyV1,
  documents: Documents,
  findings: Findings,
): void {
  if (!body.attachments.some(({ category }) => category === 'AGREEMENT')) {
    findings.error('attachments', 'no-agreement-document');
  }
  warnOfSameFiles(body.attachments, documents, findings);
  const canDraw = (party: number) =>
    body.parties[party]?.signingConfigurations.some(({ type }) => type === 'DRAW') ?? false;
  for (const [index, one] of body.attachments.entries()) {
    const at = `attachments.${index}`;
    if (one.type === 'TOKEN') checkToken(one, at, findings);
    else checkInline(one, at, documents, findings);
    checkStamp(one.lastModifiedOn, `${at}.lastModifiedOn`, findings);
    for (const [place, { value }] of (one.fields ?? []).entries()) {
      const field = `${at}.fields.${place}.value`;
      checkSignatureText(value, canDraw, field, findings);
      if (one.merge === 'here' && signatureOf(value) !== null) {
        findings.error(field, 'not-applicable', SERVICE_PLACES_SIGNATURE_MESSAGE);
      }
    }
  }
}

function checkToken(one: AttachmentDraft, at: string, findings: Findings): void {
  if (isBlank(one.token)) findings.error(`${at}.token`, 'required');
  else warnOfOtherId(one.token, `${at}.token`, findings);
  if (one.file !== undefined) findings.error(`${at}.file`, 'not-applicable');
  if (hasFields(one)) findings.error(`${at}.fields`, 'not-applicable');
}

function checkInline(
  one: AttachmentDraft,
  at: string,
  documents: Documents,
  findings: Findings,
): void {
  if (textOrNullIfEmpty(one.token) !== null) findings.error(`${at}.token`, 'not-applicable');
  // If `name` is absent, the file's own name applies. An empty name would be omitted on sending.
  if (one.name !== undefined && isBlank(one.name)) findings.error(`${at}.name`, 'required');
  const file = findFile(documents, one.file);
  if (file === null) {
    findings.error(`${at}.file`, 'file-missing');
    return;
  }
  if (!isPdf(file)) {
    const onlyPdf = 'Only a PDF can be part of the agreement. Add this file as a reference';
    if (one.category === 'AGREEMENT') findings.error(`${at}.category`, 'content-mismatch', onlyPdf);
    if (hasFields(one)) findings.error(`${at}.fields`, 'not-applicable');
  }
  if (file.notices.includes('already-signed')) {
    // Merging rewrites the file and would invalidate its signature.
    if (one.merge === 'here' && hasFields(one)) findings.error(`${at}.fields`, 'already-signed');
    else findings.warn(`${at}.file`, 'already-signed');
  }
  const isMergedHere = one.merge === 'here' || documents.isMergedHere === true;
  const place = { at: `${at}.fields`, isMergedHere };
  checkValues(one.fields, documents.forms.get(file.id), place, findings);
}

function hasFields({ fields = [] }: AttachmentDraft): boolean {
  return fields.length > 0;
}
