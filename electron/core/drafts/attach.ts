import type { ApiName, FileId } from '../../../shared/model/ids.ts';
import type { DraftFile } from '../../../shared/contract/drafts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { PdfForms, Sha256 } from '../ports.ts';

const PDF = 'application/pdf';

/** Types of files by extension; the services check the content themselves. */
const mimeTypeByExtension: ReadonlyMap<string, string> = new Map([
  ['pdf', PDF],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
]);

/**
 * Describes a file for a draft. Rejects a PDF that cannot be sent: damaged, encrypted without a
 * fillable form, or with an XFA form, which signing would lose. Other file types can be attached in
 * API v1 only, as references.
 */
export async function describeFile(
  file: { readonly id: FileId; readonly name: string; readonly data: Uint8Array },
  api: ApiName,
  ports: { readonly pdf: PdfForms; readonly sha256: Sha256 },
): Promise<DraftFile> {
  const { id, name, data } = file;
  if (data.length === 0)
    throw new AppError('invalid', `${name} is empty`, { reason: 'file-empty' });
  const mimeType = typeOf(name, data);
  const known = { id, name, mimeType, bytes: data.length, sha256: ports.sha256(data) };
  if (mimeType === PDF || api === 'v2')
    return { ...known, mimeType: PDF, ...(await readPdf(data, ports)) };
  return { ...known, pages: null, fieldCount: 0, notices: [] };
}

async function readPdf(data: Uint8Array, { pdf }: { readonly pdf: PdfForms }) {
  const form = await pdf.read(data);
  if (form.notices.includes('xfa')) {
    const message =
      'The PDF is an XFA form, which cannot be signed. Print it to a new PDF and use that one';
    throw new AppError('invalid', message, { reason: 'pdf-xfa' });
  }
  // API v1 and v2 do not document whether they accept an encrypted PDF. A form is accepted here
  // because its filled copy, which is sent, is not encrypted.
  if (form.notices.includes('owner-locked') && form.fields.length === 0) throw restrictedPdfError();
  const isReported = (one: (typeof form.notices)[number]) =>
    one === 'already-signed' || one === 'owner-locked';
  return {
    pages: form.pages,
    fieldCount: form.fields.length,
    notices: form.notices.filter(isReported),
  };
}

export function restrictedPdfError(): AppError {
  const message =
    'The PDF is encrypted and its use is restricted. Ask its author for a copy without restrictions';
  return new AppError('invalid', message, { reason: 'pdf-restricted' });
}

/** Returns the type of a file: a leading `%PDF-` is more reliable than the file name. */
function typeOf(name: string, data: Uint8Array): string {
  const begins = String.fromCharCode(...data.slice(0, 5));
  if (begins === '%PDF-') return PDF;
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return mimeTypeByExtension.get(ending) ?? 'application/octet-stream';
}
