import { accountFile } from '../state/account.ts';
import { accountFileBytes } from '../state/account-file.ts';
import type { Place } from '../server/body.ts';
import { decodeBase64, hasMatchingPdfContent, isPdfName } from '../server/formats.ts';
import { fieldNames } from '../pdf/pdf.ts';
import { readTimestamp, type Draft } from './draft.ts';

import type { Attachment, Party } from '../state/record-v1.ts';

const ATTACHMENT_FIELDS = [
  'type',
  'name',
  'title',
  'data',
  'token',
  'lastModifiedOn',
  'fields',
  'category',
];
const SIGNATURE_PLACEHOLDER_PATTERN = /\{\{@agr\.parties\[([^\]]*)\]\.signature\}\}/g;
const mimeTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  png: 'image/png',
  jpg: 'image/jpeg',
  txt: 'text/plain; charset=utf-8',
};

/** Reads the documents of a create request; at least one must be part of the agreement. */
export async function readAttachments(
  place: Place,
  draft: Draft,
  parties: readonly Party[],
): Promise<Attachment[]> {
  const items = place.needItems();
  const read: Attachment[] = [];
  for (const item of items)
    read.push(await readAttachment(item.object(ATTACHMENT_FIELDS), draft, parties));
  const explicit = items.filter((item) => item.get('category').isPresent);
  if (items.length > 0 && !explicit.some((item) => item.get('category').text() === 'AGREEMENT')) {
    place.refuse('required', 'At least one attachment must have the category AGREEMENT.');
  }
  return read;
}

async function readAttachment(
  item: Place,
  draft: Draft,
  parties: readonly Party[],
): Promise<Attachment> {
  const type = item.get('type').needChoice(['BASE64', 'TOKEN']);
  const { name, content } =
    type === 'BASE64'
      ? readInlineFile(item)
      : { name: accountFile.name, content: await readTokenFile(item) };
  return {
    id: draft.store.uuid(),
    name,
    title: item.get('title').text(),
    mimeType: mimeTypes[name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream',
    fileSize: content.byteLength,
    lastModifiedOn: readTimestamp(item.get('lastModifiedOn')),
    category: item.get('category').choice(['AGREEMENT', 'REF_DOC']) ?? 'AGREEMENT',
    fields: await readFields(item, {
      draft,
      parties,
      template: type === 'BASE64' ? content : null,
    }),
    blob: draft.store.keep(content),
  };
}

function readInlineFile(item: Place): { name: string; content: Buffer } {
  item.get('token').forbid('Only for TOKEN.');
  const name = item.get('name').needText();
  const place = item.get('data');
  const content = decodeBase64(place.needText());
  if (content === null) place.refuse('content', 'Must be Base64 without line breaks or prefix.');
  else if (!hasMatchingPdfContent(name, content))
    place.refuse('content', 'Is called .pdf but is not a PDF.');
  return { name, content: content ?? Buffer.alloc(0) };
}

async function readTokenFile(item: Place): Promise<Buffer> {
  item.get('data').forbid('Only for BASE64.');
  const token = item.get('token').needText();
  if (token !== accountFile.id) item.get('token').refuse('unknown-id', 'No such uploaded file.');
  return accountFileBytes();
}

async function readFields(
  item: Place,
  known: { draft: Draft; parties: readonly Party[]; template: Buffer | null },
): Promise<Attachment['fields']> {
  const place = item.get('fields');
  const items = place.items();
  if (items.length === 0) return [];
  const isTemplate = known.template !== null && isPdfName(item.get('name').text() ?? '');
  if (!isTemplate) place.refuse('not-applicable', 'Only a PDF sent in data has fields.');
  const names = isTemplate ? await fieldNames(known.template ?? Buffer.alloc(0)) : null;
  return items.map((field) => {
    field.object(['name', 'value']);
    const name = field.get('name').needText();
    if (names?.includes(name) === false) {
      field.get('name').refuse('unknown-id', 'The PDF has no field of this name.');
    }
    const value = field.get('value').text({ allowEmpty: true }) ?? '';
    checkSignaturePlaces(field.get('value'), value, known.parties);
    return { id: known.draft.store.uuid(), name, value };
  });
}

function checkSignaturePlaces(place: Place, value: string, parties: readonly Party[]): void {
  for (const [, index = ''] of value.matchAll(SIGNATURE_PLACEHOLDER_PATTERN)) {
    const party = /^\d+$/.test(index) ? parties[Number(index)] : undefined;
    if (party === undefined) {
      place.refuse('range', `There is no party with the index ${index}.`);
    } else if (!party.signingConfigurations.some(({ type }) => type === 'DRAW')) {
      place.refuse('conflict', `Party ${index} cannot sign by DRAW.`);
    }
  }
}
