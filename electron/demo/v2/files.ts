import { randomUUID } from 'node:crypto';
import { company } from '../state/account.ts';
import { json, requirePathParameter, type Answer, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { DAY, toWallStamp } from '../server/stamps.ts';
import { TOTAL_BELOW } from './read-content.ts';
import type { Upload } from '../state/record-v2.ts';

/** Time for which an upload is kept until a create request uses it (ms). */
const UPLOAD_LIFETIME_MS = DAY;

/** Reads one file from the form field `file`. */
export async function uploadFile(exchange: Exchange, service: Service): Promise<Answer> {
  const file = await readFormFile(exchange);
  if (file.size >= TOTAL_BELOW) throw new Refusal(400, 'The file must be smaller than 12 MB.');
  const content = Buffer.from(await file.arrayBuffer());
  const upload: Upload = {
    token: randomUUID(),
    ownerOrgNo: company.orgNo,
    fileName: file.name,
    size: content.byteLength,
    createdOn: service.now(),
    blob: service.store.keep(content),
    isRemoved: false,
  };
  service.store.uploads.set(upload.token, upload);
  service.store.changed();
  return json(uploadRecord(upload, service));
}

export function listFiles(_exchange: Exchange, service: Service): Answer {
  const items = [...service.store.uploads.values()]
    .filter((upload) => upload.ownerOrgNo === company.orgNo && isWaiting(upload, service))
    .map((upload) => uploadRecord(upload, service));
  if (items.length === 0) throw new Refusal(404, 'There are no files.');
  return json({ items, start: 0, count: items.length, totalCount: items.length });
}

export function getFile(exchange: Exchange, service: Service): Answer {
  return json(uploadRecord(findUpload(exchange, service), service));
}

export function deleteFile(exchange: Exchange, service: Service): Answer {
  const { token, fileName } = findUpload(exchange, service);
  service.store.uploads.delete(token);
  service.store.changed();
  return json({ token, fileName, deletedOn: toWallStamp(service.now(), service.behaviour.v2Zone) });
}

/** @throws Refusal with 404, 403, or 500 for a used or expired file. */
function findUpload(exchange: Exchange, service: Service): Upload {
  const upload = service.store.uploads.get(requirePathParameter(exchange, 'token'));
  if (upload === undefined) throw new Refusal(404, 'There is no file with this token.');
  if (upload.ownerOrgNo !== company.orgNo) throw new Refusal(403, 'The file is not yours.');
  if (!isWaiting(upload, service)) {
    throw new Refusal(500, 'The file was already used and deleted, or deleted by timeout.');
  }
  return upload;
}

/** Whether an upload is still unused and has not expired; removes the bytes of an expired one. */
function isWaiting(upload: Upload, { now }: Service): boolean {
  if (upload.createdOn + UPLOAD_LIFETIME_MS <= now()) {
    upload.isRemoved = true;
    upload.blob = null;
  }
  return !upload.isRemoved;
}

async function readFormFile({ headers, body }: Exchange): Promise<File> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal(400, 'A multipart form is required.');
  }
  const form = await parseForm(type, body);
  const file = form.get('file');
  if (!(file instanceof File)) throw new Refusal(400, "The form field 'file' is required.");
  return file;
}

async function parseForm(type: string, body: Buffer): Promise<FormData> {
  try {
    const content = new Uint8Array(body);
    return await new Response(content, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    if (cause instanceof TypeError) throw new Refusal(400, 'The multipart form cannot be read.');
    throw cause;
  }
}

function uploadRecord({ token, fileName, createdOn }: Upload, { behaviour }: Service) {
  return { token, fileName, createdOn: toWallStamp(createdOn, behaviour.v2Zone) };
}
