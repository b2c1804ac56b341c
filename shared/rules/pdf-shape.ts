import { AppError } from '../errors.ts';

const HEADER = '%PDF-';
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
  const place = [...latin(tail).matchAll(LAST_TABLE)].at(-1)?.[1];
  return place !== undefined && Number(place) < bytes ? 'whole' : 'cut';
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
      throw new AppError('service', 'The service sent no PDF', { reason: 'not-a-pdf' });
    case 'cut':
      throw new AppError('service', 'The PDF ends in the middle', { reason: 'cut-answer' });
  }
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
