import { AppError } from '../../errors.ts';
import { redact, redactCut } from '../text/mask.ts';

const HEADER = '%PDF-';
const TABLE = /^\s*(?:xref\s|\d{1,10}\s+\d{1,5}\s+obj)/;
const LAST_TABLE = /startxref\s+(\d+)\s+%%EOF/g;

/**
 * How a file looks from outside: a whole PDF has `%PDF-` within its first kilobyte, and within its
 * last one `startxref` with a place inside the file, then `%%EOF`.
 *
 * @param head the first up to 1,024 bytes
 * @param tail the last up to 1,024 bytes
 * @param bytes how many there are in all
 */
export function pdfShape(
  head: Uint8Array,
  tail: Uint8Array,
  bytes: number,
): 'whole' | 'empty' | 'other' | 'cut' {
  if (bytes === 0) return 'empty';
  if (!latin(head).includes(HEADER)) return 'other';
  const place = lastTable(tail);
  return place !== null && place < bytes ? 'whole' : 'cut';
}

/** Where the last cross-reference table is said to begin; null when it is not said. */
export function lastTable(tail: Uint8Array): number | null {
  const place = [...latin(tail).matchAll(LAST_TABLE)].at(-1)?.[1];
  return place === undefined ? null : Number(place);
}

/** Whether a table, or the object that holds one, begins with these bytes (ISO 32000-2, 7.5.8). */
export function beginsTable(bytes: Uint8Array): boolean {
  return TABLE.test(latin(bytes));
}

/** Bytes before the header, from which some writers count. */
export function headerOffset(head: Uint8Array): number {
  return Math.max(0, latin(head).indexOf(HEADER));
}

/** Accepts a download that is a whole PDF; throws 'service' with the reason for any other. */
export function acceptPdf(head: Uint8Array, tail: Uint8Array, bytes: number): void {
  const shape = pdfShape(head, tail, bytes);
  switch (shape) {
    case 'whole':
      return;
    case 'empty':
      throw new AppError('service', 'The service sent an empty file', { reason: 'file-empty' });
    case 'other':
      throw new AppError('service', 'The service sent no PDF', {
        reason: 'not-a-pdf',
        sample: (bytes > head.length ? redactCut : redact)(latin(head)),
      });
    case 'cut':
      throw new AppError('service', 'The PDF ends in the middle', { reason: 'cut-answer' });
  }
}

/** Letter by letter: spreading a kilobyte into arguments takes ten times as long. */
function latin(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
