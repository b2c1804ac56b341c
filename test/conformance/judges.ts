import { createHash, randomUUID } from 'node:crypto';
import { createPdfForms } from '../../electron/adapters/pdf/forms.ts';
import {
  DraftBodyV1,
  DraftBodyV2,
  type DraftContent,
  type DraftFile,
} from '../../shared/contract/drafts.ts';
import { type ApiName, FileId } from '../../shared/model/ids.ts';
import type { PdfForm } from '../../shared/contract/templates.ts';
import { CreateBodyV1 } from '../../shared/model/agreement-v1.ts';
import { CreateBodyV2 } from '../../shared/model/agreement-v2.ts';
import { checkDraft } from '../../shared/rules/drafts/check.ts';
import { at, type Client, listAt, textAt } from '../demo/support.ts';
import { NOW } from './bodies.ts';
import { fieldAt } from './model-fields.ts';

/** Fields with problems for which a request is rejected; empty if it is accepted. */
type Judgement = readonly string[];

const pdf = createPdfForms();

/** Sends the body unchanged to the service, and returns the fields that it rejects. */
export async function judgedByService(
  client: Client,
  api: ApiName,
  body: object,
): Promise<Judgement> {
  if (api === 'v1') {
    const { status, json } = await client.v1('POST', '/v1/agreements', { body });
    if (status === 200) return [];
    return listAt(json, 'errors').map((error) => fieldAt(textAt(error, 'source', 'pointer')));
  }
  const { status, json } = await client.v2('POST', '/agreements', { body });
  if (status === 200) return [];
  return listAt(json, 'fieldErrors').map((error) => fieldAt(textAt(error, 'field')));
}

/** Fields that the program would reject in a draft that is sent as this body. */
export async function judgedHere(api: ApiName, body: object): Promise<Judgement> {
  const read = (api === 'v1' ? CreateBodyV1 : CreateBodyV2).safeParse(body);
  if (!read.success) {
    return read.error.issues.map(({ path }) => fieldAt(path.map(String).join('.')));
  }
  const { content, files, forms } = await asDraft(api, body);
  const { errors } = checkDraft(content, { files, forms }, NOW);
  // A draft has a file where the request has its bytes.
  return errors.map(({ field }) => fieldAt(field).replace(/\.file$/, '.data'));
}

async function asDraft(api: ApiName, body: object) {
  const files: DraftFile[] = [];
  const forms = new Map<FileId, PdfForm>();
  const attachments = at(body, 'attachments');
  const drafted: object[] = [];
  for (const attachment of Array.isArray(attachments) ? listAt(attachments) : []) {
    const data = at(attachment, 'data');
    if (typeof data !== 'string') {
      drafted.push(Object(attachment));
      continue;
    }
    const bytes = Buffer.from(data, 'base64');
    const form = await pdf.read(bytes);
    const file = fileOf(bytes, form);
    files.push(file);
    forms.set(file.id, form);
    drafted.push({ ...Object(attachment), file: file.id });
  }
  const changed = attachments === undefined ? body : { ...body, attachments: drafted };
  const content: DraftContent =
    api === 'v1'
      ? { api, body: DraftBodyV1.parse(changed) }
      : { api, body: DraftBodyV2.parse(changed) };
  return { content, files, forms };
}

function fileOf(bytes: Buffer, { pages, fields }: PdfForm): DraftFile {
  return {
    id: FileId.parse(randomUUID()),
    name: 'avtal.pdf',
    mimeType: 'application/pdf',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    pages,
    fieldCount: fields.length,
    notices: [],
  };
}
