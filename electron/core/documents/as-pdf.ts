import { fieldsOfAnchors } from '../../../shared/rules/forms/anchor-fields.ts';
import { pdfNameFor } from '../../../shared/rules/files/convertible.ts';
import type { PdfForms } from '../ports.ts';
import type { DocumentConverter } from './ports.ts';

/** A file as a person gave it. */
interface OpenedFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** A document or a picture as a PDF under a name of one; anything else as it is. */
export async function asPdf(
  file: OpenedFile,
  { documents }: { readonly documents: DocumentConverter },
): Promise<OpenedFile> {
  const made = await documents.convert(file.data, { codes: false });
  return made === null ? file : { name: pdfNameFor(file.name), data: made.data };
}

/** The same for a form: what the document's merge codes and anchors named is a field of the PDF. */
export async function asPdfForm(
  file: OpenedFile,
  { documents, pdf }: { readonly documents: DocumentConverter; readonly pdf: PdfForms },
): Promise<OpenedFile> {
  const made = await documents.convert(file.data, { codes: true });
  if (made === null) return file;
  const name = pdfNameFor(file.name);
  if (made.marked === null) return { name, data: made.data };
  const fields = fieldsOfAnchors(await pdf.find(made.marked), made.codes);
  if (fields.length === 0) return { name, data: made.data };
  return { name, data: await pdf.place(made.data, fields) };
}
