import { ParseSpeeds, PDFDict, PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import { AppError } from '../../../shared/errors.ts';
import { mendForm } from './mend-form.ts';
import { pdfShape } from '../../../shared/rules/files/pdf-shape.ts';

const END_BYTES = 1024;
const HEADER = [...Buffer.from('%PDF-')];
/** More than a person reads before signing; what cuts pages apart costs time for each. */
const MOST_PAGES = 2000;
const LOAD = {
  ignoreEncryption: true,
  updateMetadata: false,
  throwOnInvalidObject: true,
  // pdf-lib rests after every hundred objects for the sake of a window; a thread has none.
  parseSpeed: ParseSpeeds.Fastest,
};
const VALUE = PDFName.of('V');
const COVERED = PDFName.of('ByteRange');
/** Stands in the open in the trailer; what it encrypts may be all that pdf-lib could not read. */
const ENCRYPTED = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;

export interface OpenPdf {
  readonly document: PDFDocument;
  readonly hasXfa: boolean;
  readonly isSigned: boolean;
  /** Something stands before `%PDF-`, which some readers refuse. */
  readonly startsLate: boolean;
  /** Its list of fields was not as it should be, and what could be found was put into it. */
  readonly hasStrayFields: boolean;
}

/**
 * Opens a PDF by its content. Throws 'invalid' with 'file-empty', 'not-a-pdf', 'pdf-damaged',
 * 'pdf-limit' or 'pdf-encrypted'. The document is a copy in memory, without its XFA part: pdf-lib drops that part
 * on the first touch of the form, so such a document must never be saved.
 */
export async function openPdf(data: Uint8Array): Promise<OpenPdf> {
  checkShape(data);
  const document = await load(data);
  if (document.isEncrypted) throw encrypted();
  dropReplaced(document);
  const form = document.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict);
  const hasXfa = form?.has(PDFName.of('XFA')) ?? false;
  form?.delete(PDFName.of('XFA'));
  const startsLate = !HEADER.every((byte, at) => data[at] === byte);
  const hasStrayFields = mendForm(document);
  return { document, hasXfa, isSigned: isSigned(document), startsLate, hasStrayFields };
}

function checkShape(data: Uint8Array): void {
  const shape = pdfShape(data.subarray(0, END_BYTES), data.subarray(-END_BYTES), data.length);
  switch (shape) {
    case 'whole':
      return;
    case 'empty':
      throw refusal('file-empty', 'The file is empty');
    case 'other':
      throw refusal('not-a-pdf', 'The file is not a PDF');
    case 'cut':
      throw refusal('pdf-damaged', 'The PDF ends in the middle');
  }
}

async function load(data: Uint8Array): Promise<PDFDocument> {
  try {
    const document = await PDFDocument.load(data, LOAD);
    const pages = document.getPageCount();
    if (pages > MOST_PAGES) throw refusal('pdf-limit', `The PDF has ${pages} pages`);
    if (pages > 0) return document;
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (ENCRYPTED.test(Buffer.from(data).toString('latin1'))) throw encrypted(error);
    throw refusal('pdf-damaged', 'The PDF cannot be read', error);
  }
  throw refusal('pdf-damaged', 'The PDF has no pages');
}

/**
 * An object whose number was given again, with a higher generation, is gone (PDF 1.7, 7.5.4).
 * pdf-lib keeps both, and would write a cross-reference table in which every later one is amiss.
 */
function dropReplaced({ context }: PDFDocument): void {
  const latest = new Map<number, PDFRef>();
  for (const [ref] of context.enumerateIndirectObjects()) {
    const other = latest.get(ref.objectNumber);
    const isNewer = other === undefined || ref.generationNumber > other.generationNumber;
    if (isNewer) latest.set(ref.objectNumber, ref);
    if (other !== undefined) context.delete(isNewer ? other : ref);
  }
}

/**
 * Whether a field holds a signature, which names the bytes it covers. Adobe's usage rights do so
 * too, but nobody signed those.
 */
function isSigned(document: PDFDocument): boolean {
  return document.context.enumerateIndirectObjects().some(([, object]) => {
    const value = object instanceof PDFDict ? object.lookup(VALUE) : undefined;
    return value instanceof PDFDict && value.has(COVERED);
  });
}

function encrypted(cause?: unknown): AppError {
  return refusal('pdf-encrypted', 'The PDF is protected by a password or by its owner', cause);
}

function refusal(
  reason: 'file-empty' | 'not-a-pdf' | 'pdf-damaged' | 'pdf-encrypted' | 'pdf-limit',
  message: string,
  cause?: unknown,
): AppError {
  return new AppError('invalid', message, { reason, cause });
}
