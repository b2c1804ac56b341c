import { company, templates } from '../state/account.ts';
import type { Place } from '../server/body.ts';
import { decodeBase64, hasMatchingPdfContent } from '../server/formats.ts';
import type { Store } from '../state/store.ts';
import type { LegacyAgreement, Upload } from '../state/record-v2.ts';

/**
 * Unit of "4 MB" and "12 MB", which are read in their strictest meaning: decimal megabytes of the
 * decoded files, and a file of exactly the limit is too large.
 */
const MB = 1_000_000;
const INLINE_BYTES_LIMIT = 4 * MB;
export const TOTAL_BELOW = 12 * MB;
export const LONG_TEXT_MAX = 30_000;

const contentKeys = {
  FREE_TEXT: 'text',
  ATTACHED: 'attachments',
  DYNAMIC_PDF: 'dynamicPdf',
} as const;

interface LegacyContent extends Pick<
  LegacyAgreement,
  'type' | 'text' | 'templateId' | 'fields' | 'attachments'
> {
  /** Uploads that the agreement uses; once the agreement exists, no other can use them. */
  readonly taken: readonly Upload[];
}

/** Reads the content of the agreement's type, and rejects content of other types. */
export function readContent(body: Place, store: Store): LegacyContent {
  const type = body.get('type').needChoice(['FREE_TEXT', 'ATTACHED', 'DYNAMIC_PDF']);
  for (const [other, key] of Object.entries(contentKeys)) {
    if (other !== type) body.get(key).forbid(`Only for ${other}.`);
  }
  const none = { type, text: null, templateId: null, fields: [], attachments: [], taken: [] };
  switch (type) {
    case 'FREE_TEXT':
      return { ...none, text: body.get('text').needText({ max: LONG_TEXT_MAX }) };
    case 'ATTACHED':
      return { ...none, ...readAttachedPdf(body.get('attachments'), store) };
    case 'DYNAMIC_PDF':
      return { ...none, ...readTemplate(body.get('dynamicPdf')) };
  }
}

function readTemplate(place: Place): Pick<LegacyContent, 'templateId' | 'fields'> {
  if (!place.need()) return { templateId: '', fields: [] };
  place.object(['templateId', 'fields']);
  const templateId = place.get('templateId').needText();
  const template = templates.find(({ id }) => id === templateId);
  if (template === undefined) place.get('templateId').refuse('unknown-id', 'No such template.');
  const kinds: Readonly<Record<string, string>> = template?.fields ?? {};
  const fields = place
    .get('fields')
    .items()
    .map((item) => readTemplateField(item, template === undefined ? null : kinds));
  return { templateId, fields };
}

function readTemplateField(item: Place, kinds: Readonly<Record<string, string>> | null) {
  item.object(['name', 'value']);
  const name = item.get('name').needText();
  const value = item.get('value').textOrFlag() ?? '';
  const kind = kinds !== null && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kinds !== null && kind === undefined) {
    item.get('name').refuse('unknown-id', 'The template has no field of this name.');
  } else if (typeof value === 'boolean' && kind === 'text') {
    item.get('value').refuse('conflict', 'true and false are for checkboxes.');
  } else if (typeof value === 'string' && kind === 'checkbox') {
    item.get('value').refuse('conflict', 'A checkbox takes true or false.');
  }
  return { name, value };
}

function readAttachedPdf(place: Place, store: Store): Pick<LegacyContent, 'attachments' | 'taken'> {
  const files = place.needItems().map((item) => readFile(item, store));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total >= TOTAL_BELOW) place.refuse('size', 'Together the files must stay below 12 MB.');
  if (total >= INLINE_BYTES_LIMIT && files.some(({ upload }) => upload === null)) {
    place.refuse('size', 'From 4 MB on, files must be uploaded first and sent as tokens.');
  }
  const taken = files.flatMap(({ upload }) => (upload === null ? [] : [upload]));
  if (new Set(taken).size < taken.length) place.refuse('conflict', 'A token works only once.');
  return { attachments: files.map(({ name, blob }) => ({ name, blob })), taken };
}

function readFile(item: Place, store: Store) {
  item.object(['name', 'data', 'token']);
  const data = item.get('data');
  const token = item.get('token');
  if (token.isPresent && !data.isPresent) return readUploaded(item, store);
  token.forbid('Send either data or token.');
  const name = item.get('name').needText();
  const content = decodeBase64(data.needText());
  if (content === null) data.refuse('content', 'Must be Base64 without line breaks or prefix.');
  else if (!hasMatchingPdfContent(name, content))
    data.refuse('content', 'Is called .pdf but is not a PDF.');
  const bytes = content ?? Buffer.alloc(0);
  return { name, blob: store.keep(bytes), size: bytes.byteLength, upload: null };
}

function readUploaded(item: Place, store: Store) {
  const upload = store.uploads.get(item.get('token').needText());
  const name = item.get('name').text() ?? upload?.fileName ?? '';
  if (upload === undefined || upload.blob === null || upload.ownerOrgNo !== company.orgNo) {
    item.get('token').refuse('unknown-id', 'No file waits under this token.');
    return { name, blob: '', size: 0, upload: null };
  }
  return { name, blob: upload.blob, size: upload.size, upload };
}
