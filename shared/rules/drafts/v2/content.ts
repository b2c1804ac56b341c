import type { DraftBodyV2 } from '../../../contract/drafts.ts';
import {
  checkFit,
  checkValues,
  type Documents,
  findFile,
  isPdf,
  warnOfSameFiles,
} from '../parts/documents.ts';
import {
  checkLength,
  type Findings,
  isBlank,
  warnOfRepeats,
  textOrNullIfEmpty,
} from '../parts/findings.ts';

type AttachmentDraft = NonNullable<DraftBodyV2['attachments']>[number];

/** Maximum length of `text` and of every other long text of v2 (API v2, "Limits"). */
export const LONG_TEXT_MAX = 30_000;
/** Total size in bytes from which files are uploaded first: strictest "4 MB" (API v2, "Limits"). */
export const UPLOAD_FROM_BYTES = 4_000_000;
/**
 * Size in bytes below which all files together must be (API v2, "attachments rules"). As the
 * strictest meaning, both limits are decimal and for the decoded files.
 */
export const TOTAL_BELOW = 12_000_000;
export const MAX_TOTAL_TEXT = `${TOTAL_BELOW / 1_000_000} MB`;

const NOT_SENT_MESSAGE = 'This is not sent with the chosen kind of agreement';
/** Words for yes and no, as users and spreadsheets write them. */
const BOOLEAN_LIKE_PATTERN = /^\s*(true|false|yes|no|ja|nej|sant|falskt)\s*$/i;

/** Checks the content, which the type determines; content of another type is not sent. */
export function checkContentV2(body: DraftBodyV2, documents: Documents, findings: Findings): void {
  const { type, text, dynamicPdf, attachments = [] } = body;
  if (type === 'FREE_TEXT') {
    if (isBlank(text)) findings.error('text', 'required');
    checkLength(text, LONG_TEXT_MAX, 'text', findings);
  } else if (textOrNullIfEmpty(text) !== null)
    findings.warn('text', 'content-mismatch', NOT_SENT_MESSAGE);
  if (type === 'DYNAMIC_PDF') checkTemplate(dynamicPdf, documents, findings);
  else if (dynamicPdf !== undefined)
    findings.warn('dynamicPdf', 'content-mismatch', NOT_SENT_MESSAGE);
  if (type === 'ATTACHED') checkAttachments(attachments, documents, findings);
  else if (attachments.length > 0)
    findings.warn('attachments', 'content-mismatch', NOT_SENT_MESSAGE);
}

/**
 * Checks the values for a template. If its fields are not known, a field with a Boolean value is
 * treated as a checkbox.
 */
function checkTemplate(
  dynamicPdf: DraftBodyV2['dynamicPdf'],
  { template }: Documents,
  findings: Findings,
): void {
  if (isBlank(dynamicPdf?.templateId)) findings.error('dynamicPdf.templateId', 'required');
  const fields = dynamicPdf?.fields ?? [];
  const at = (index: number) => `dynamicPdf.fields.${index}`;
  for (const [index, { name, value }] of fields.entries()) {
    if (isBlank(name)) findings.error(`${at(index)}.name`, 'required');
    const field = template?.get(name);
    checkFit(value, field, `${at(index)}.value`, findings);
    if (field === undefined && typeof value === 'string' && BOOLEAN_LIKE_PATTERN.test(value)) {
      findings.warn(`${at(index)}.value`, 'looks-boolean');
    }
  }
  const names = fields.map(({ name }) => name);
  warnOfRepeats(names, (index) => `${at(index)}.name`, findings);
}

function checkAttachments(
  attachments: readonly AttachmentDraft[],
  documents: Documents,
  findings: Findings,
): void {
  if (attachments.length === 0) findings.error('attachments', 'no-agreement-document');
  let bytes = 0;
  for (const [index, one] of attachments.entries()) {
    const at = `attachments.${index}`;
    if (one.file === undefined && !isBlank(one.token)) continue;
    if (textOrNullIfEmpty(one.token) !== null) findings.error(`${at}.token`, 'not-applicable');
    if (one.name !== undefined && isBlank(one.name)) findings.error(`${at}.name`, 'required');
    bytes += findFile(documents, one.file)?.bytes ?? 0;
    checkFile(one, at, documents, findings);
  }
  warnOfSameFiles(attachments, documents, findings);
  const tokens = attachments.map(({ file, token }) =>
    file === undefined ? (token ?? null) : null,
  );
  warnOfRepeats(tokens, (index) => `attachments.${index}.token`, findings);
  if (bytes >= TOTAL_BELOW) {
    findings.error(
      'attachments',
      'too-large',
      `The files must be smaller than ${MAX_TOTAL_TEXT} together`,
    );
  }
}

function checkFile(
  one: AttachmentDraft,
  at: string,
  documents: Documents,
  findings: Findings,
): void {
  const file = findFile(documents, one.file);
  if (file === null) {
    findings.error(`${at}.file`, 'file-missing');
    return;
  }
  const values = one.fields ?? [];
  if (!isPdf(file) && values.length > 0) findings.error(`${at}.fields`, 'not-applicable');
  if (file.notices.includes('already-signed')) {
    // Merging rewrites the file and would invalidate its signature.
    if (values.length > 0) findings.error(`${at}.fields`, 'already-signed');
    else findings.warn(`${at}.file`, 'already-signed');
  }
  const place = { at: `${at}.fields`, isMergedHere: true };
  checkValues(values, documents.forms.get(file.id), place, findings);
}
