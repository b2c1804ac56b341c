import { type PDFContext, PDFDict, PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import { AppError } from '../../../shared/errors.ts';
import { keepCurrentObjects } from './current-objects.ts';
import { decryptPdf } from './encryption/decrypting-parser.ts';
import { LengthParser } from './length-parser.ts';
import { repairForm } from './mend-form.ts';
import {
  pdfShape,
  pdfTail,
  truncateAfterEndMarker,
} from '../../../shared/rules/files/pdf-shape.ts';

const HEAD_BYTES = 1024;
const HEADER = [...Buffer.from('%PDF-')];
/**
 * Maximum number of pages: more than a person reads before signing; splitting pages takes time for
 * each.
 */
const MAX_PAGES = 2000;
const VALUE = PDFName.of('V');
const BYTE_RANGE_NAME = PDFName.of('ByteRange');
/**
 * Trailer entry of an encrypted file. The entry itself is never encrypted; encryption may be the
 * reason why pdf-lib cannot read the file.
 */
const ENCRYPTED = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;

export interface OpenPdf {
  readonly document: PDFDocument;
  readonly hasXfa: boolean;
  readonly isSigned: boolean;
  /** Whether there are bytes before `%PDF-`, which some readers refuse. */
  readonly startsLate: boolean;
  /** Whether the form's list of fields was faulty, and has been repaired as far as possible. */
  readonly hasStrayFields: boolean;
  /** Whether the file is encrypted, but opens without a password and may be filled and changed. */
  readonly isOwnerLocked: boolean;
}

/**
 * Opens a PDF by its content. Throws 'invalid' with 'file-empty', 'not-a-pdf', 'pdf-damaged',
 * 'pdf-limit', 'pdf-encrypted' or 'pdf-restricted'. The document is a copy in memory, decrypted and
 * without its XFA part: pdf-lib drops that part at the first access to the form, so such a document
 * must never be saved.
 */
export async function openPdf(data: Uint8Array): Promise<OpenPdf> {
  checkShape(data);
  const { document, isOwnerLocked } = await loadDocument(data);
  dropReplacedObjects(document);
  const form = document.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict);
  const hasXfa = form?.has(PDFName.of('XFA')) ?? false;
  form?.delete(PDFName.of('XFA'));
  const startsLate = !HEADER.every((byte, at) => data[at] === byte);
  const hasStrayFields = repairForm(document);
  return {
    document,
    hasXfa,
    isSigned: isSigned(document),
    startsLate,
    hasStrayFields,
    isOwnerLocked,
  };
}

function checkShape(data: Uint8Array): void {
  const shape = pdfShape(data.subarray(0, HEAD_BYTES), pdfTail(data), data.length);
  switch (shape) {
    case 'whole':
      return;
    case 'empty':
      throw pdfRefusal('file-empty', 'The file is empty');
    case 'other':
      throw pdfRefusal('not-a-pdf', 'The file is not a PDF');
    case 'cut':
      throw pdfRefusal(
        'pdf-damaged',
        'The PDF is incomplete: its end is missing. Save or export it again',
      );
  }
}

type LoadedPdf = Pick<OpenPdf, 'document' | 'isOwnerLocked'>;

async function loadDocument(data: Uint8Array): Promise<LoadedPdf> {
  // Bytes after the end are removed: pdf-lib would search them, such as a web page, for objects for
  // seconds.
  const whole = truncateAfterEndMarker(data);
  try {
    const document = await parsePdfDocument(whole);
    if (!document.isEncrypted) return { document: checkPages(document), isOwnerLocked: false };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!ENCRYPTED.test(Buffer.from(data).toString('latin1'))) throw damagedPdfError(error);
  }
  return { document: checkPages(await decryptDocument(whole)), isOwnerLocked: true };
}

/**
 * Loads a document like `PDFDocument.load`, which accepts only its own parser. The constructor is
 * hidden only by its types.
 */
async function parsePdfDocument(data: Uint8Array): Promise<PDFDocument> {
  const context: PDFContext = await new LengthParser(data, true).parseDocument();
  if (context.lookup(context.trailerInfo.Encrypt) === undefined) keepCurrentObjects(context, data);
  const [ignoresEncryption, updatesMetadata] = [true, false];
  const made: unknown = Reflect.construct(PDFDocument, [
    context,
    ignoresEncryption,
    updatesMetadata,
  ]);
  if (made instanceof PDFDocument) return made;
  throw new TypeError('pdf-lib made no document');
}

/**
 * Decrypts a document. Throws 'pdf-encrypted' if a password is required, 'pdf-restricted' if
 * filling is forbidden.
 */
async function decryptDocument(data: Uint8Array): Promise<PDFDocument> {
  try {
    const opened = await decryptPdf(data);
    if (opened === null) throw encryptedPdfError();
    if (opened.canFill && opened.canChange) return await parsePdfDocument(opened.data);
  } catch (error) {
    throw error instanceof AppError ? error : encryptedPdfError(error);
  }
  const message =
    'The author of the PDF does not allow filling or changing it. Ask for a copy without restrictions';
  throw pdfRefusal('pdf-restricted', message);
}

function checkPages(document: PDFDocument): PDFDocument {
  let pages = 0;
  try {
    pages = document.getPageCount();
  } catch (error) {
    throw damagedPdfError(error);
  }
  if (pages > MAX_PAGES)
    throw pdfRefusal(
      'pdf-limit',
      `The PDF has ${pages} pages, but at most ${MAX_PAGES} are allowed`,
    );
  if (pages === 0) throw pdfRefusal('pdf-damaged', 'The PDF has no pages');
  return document;
}

/**
 * Removes replaced objects: an object whose number is reused with a higher generation is deleted
 * (PDF 1.7, 7.5.4). pdf-lib keeps both objects, and would write a table in which every later entry
 * is wrong.
 */
function dropReplacedObjects({ context }: PDFDocument): void {
  const latest = new Map<number, PDFRef>();
  for (const [ref] of context.enumerateIndirectObjects()) {
    const other = latest.get(ref.objectNumber);
    const isNewer = other === undefined || ref.generationNumber > other.generationNumber;
    if (isNewer) latest.set(ref.objectNumber, ref);
    if (other !== undefined) context.delete(isNewer ? other : ref);
  }
}

/**
 * Whether a field has a signature, which names the bytes it covers. Adobe's usage rights name such
 * bytes too, but they are not a signature of a person.
 */
function isSigned(document: PDFDocument): boolean {
  return document.context.enumerateIndirectObjects().some(([, object]) => {
    const value = object instanceof PDFDict ? object.lookup(VALUE) : undefined;
    return value instanceof PDFDict && value.has(BYTE_RANGE_NAME);
  });
}

const damagedPdfError = (cause: unknown): AppError =>
  pdfRefusal('pdf-damaged', 'The PDF cannot be read', cause);

function encryptedPdfError(cause?: unknown): AppError {
  return pdfRefusal('pdf-encrypted', 'The PDF is protected by a password', cause);
}

type PdfRefusalReason =
  | 'file-empty'
  | 'not-a-pdf'
  | 'pdf-damaged'
  | 'pdf-encrypted'
  | 'pdf-restricted'
  | 'pdf-limit';

function pdfRefusal(reason: PdfRefusalReason, message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { reason, cause });
}
