import { AppError } from '../../errors.ts';
import { redact, redactTruncated } from '../text/mask.ts';

const PDF_HEADER = '%PDF-';
const TABLE_START_PATTERN = /^\s*(?:xref\s|\d{1,10}\s+\d{1,5}\s+obj)/;
const LAST_TABLE_PATTERN = /startxref\s+(\d+)\s+%%EOF/g;
/** Number of last bytes that have the end markers in nearly every file. */
const NEAR_END_BYTES = 1024;
/** Start of an object; after the end marker, it belongs to a later revision. */
const OBJECT_START_PATTERN = /\d\s+\d{1,5}\s+obj\b/;
/** Padding: NUL, tab, LF, form feed, CR, space (ISO 32000-2, 7.2.3), and Ctrl-Z. */
export const PDF_PADDING: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 26, 32]);

/**
 * Number of bytes in a tail. After the end of the PDF, print drivers write any number of NULs and
 * spaces, and servers write a web page of about ten kilobytes.
 */
export const TAIL_BYTES = 64 * 1024;

/** The tail of a file in memory, for `pdfShape`. */
export function pdfTail(data: Uint8Array): Uint8Array {
  const end = data.findLastIndex((byte) => !PDF_PADDING.has(byte)) + 1;
  return data.subarray(Math.max(0, end - TAIL_BYTES), end);
}

/**
 * Checks a file's structure. A whole PDF has `%PDF-` within its first kilobyte. Its tail has
 * `startxref` with a position inside the file, then `%%EOF`. If an object of a later revision
 * follows, that revision was cut off.
 *
 * @param head the first up to 1,024 bytes
 * @param tail the last `TAIL_BYTES`; long runs of padding may be omitted
 * @param bytes the total size
 */
export function pdfShape(
  head: Uint8Array,
  tail: Uint8Array,
  bytes: number,
): 'whole' | 'empty' | 'other' | 'cut' {
  if (bytes === 0) return 'empty';
  if (!toLatin1Text(head).includes(PDF_HEADER)) return 'other';
  const place = lastTableOffset(tail);
  return place !== null && place < bytes ? 'whole' : 'cut';
}

/** Position of the last cross-reference table, as stated in the file; null if none is stated. */
export function lastTableOffset(tail: Uint8Array): number | null {
  return findEndMarks(tail)?.place ?? null;
}

/** Returns the bytes of a file up to the end of its last end marker. */
export function truncateAfterEndMarker(data: Uint8Array): Uint8Array {
  const tail = pdfTail(data);
  const marks = findEndMarks(tail);
  const before = tail.byteOffset - data.byteOffset;
  return marks === null ? data : data.subarray(0, before + marks.end);
}

interface EndMarks {
  readonly place: number;
  /** Index in the tail of the first byte after `%%EOF`. */
  readonly end: number;
}

function findEndMarks(tail: Uint8Array): EndMarks | null {
  const from = Math.max(0, tail.length - NEAR_END_BYTES);
  return findEndMarksFrom(tail, from) ?? (from === 0 ? null : findEndMarksFrom(tail, 0));
}

function findEndMarksFrom(tail: Uint8Array, from: number): EndMarks | null {
  const text = toLatin1Text(tail.subarray(from));
  const found = [...text.matchAll(LAST_TABLE_PATTERN)].at(-1);
  if (found === undefined) return null;
  const { 0: whole, 1: place, index } = found;
  const end = index + whole.length;
  return OBJECT_START_PATTERN.test(text.slice(end))
    ? null
    : { place: Number(place), end: from + end };
}

/**
 * Whether a table, or the object that contains one, starts with these bytes (ISO 32000-2, 7.5.8).
 */
export function startsWithTable(bytes: Uint8Array): boolean {
  return TABLE_START_PATTERN.test(toLatin1Text(bytes));
}

/** Number of bytes before the header; some programs count positions from the header. */
export function headerOffset(head: Uint8Array): number {
  return Math.max(0, toLatin1Text(head).indexOf(PDF_HEADER));
}

/** Accepts a download that is a whole PDF; throws 'service' with the reason for any other. */
export function assertWholePdf(head: Uint8Array, tail: Uint8Array, bytes: number): void {
  const shape = pdfShape(head, tail, bytes);
  switch (shape) {
    case 'whole':
      return;
    case 'empty':
      throw new AppError('service', 'The service sent an empty file', { reason: 'file-empty' });
    case 'other':
      throw new AppError('service', 'The service sent something other than a PDF', {
        reason: 'not-a-pdf',
        sample: (bytes > head.length ? redactTruncated : redact)(toLatin1Text(head)),
      });
    case 'cut':
      throw new AppError(
        'service',
        'The PDF is incomplete: its end is missing. Download it again',
        { reason: 'cut-answer' },
      );
  }
}

/** Converts byte by byte: spreading a kilobyte into arguments takes ten times as long. */
function toLatin1Text(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
