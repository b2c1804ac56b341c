import { fieldsOfAnchors } from '../../../shared/rules/forms/anchor-fields.ts';
import { pdfNameFor } from '../../../shared/rules/files/convertible.ts';
import type { PdfForms } from '../ports.ts';
import type { DocumentConverter } from './ports.ts';

interface OpenedFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Converts a document or picture to a PDF with a matching name; other files are unchanged. */
export async function convertToPdf(
  file: OpenedFile,
  { documents }: { readonly documents: DocumentConverter },
): Promise<OpenedFile> {
  const made = await documents.convert(file.data, { codes: false });
  return made === null ? file : { name: pdfNameFor(file.name), data: made.data };
}

/**
 * Converts a form like `convertToPdf`; merge codes and anchors of the document become fields of the PDF.
 */
export async function readAsPdfForm(
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
