import { AppError } from '../errors.ts';

const HEADER = '%PDF-';
const END = '%%EOF';
const LAST_TABLE = /startxref\s+(\d+)\s+%%EOF/g;

/**
 * Accepts a finished download when it begins and ends like a whole PDF: `%PDF-` within the first
 * kilobyte, and within the last one `startxref` with a place inside the file, then `%%EOF`.
 * Throws 'service' with 'file-empty', 'not-a-pdf' or 'cut-answer'.
 *
 * @param head the first up to 1,024 bytes
 * @param tail the last up to 1,024 bytes
 * @param bytes how many there are in all
 */
export function acceptPdf(head: Uint8Array, tail: Uint8Array, bytes: number): void {
  if (bytes === 0) throw refusal('file-empty', 'The service sent an empty file');
  if (!latin(head).includes(HEADER)) {
    throw refusal('not-a-pdf', 'The service sent something else than a PDF');
  }
  const end = latin(tail);
  const place = [...end.matchAll(LAST_TABLE)].at(-1)?.[1];
  if (!end.includes(END) || place === undefined || Number(place) >= bytes) {
    throw refusal('cut-answer', 'The PDF ends in the middle');
  }
}

function refusal(reason: 'file-empty' | 'not-a-pdf' | 'cut-answer', message: string): AppError {
  return new AppError('service', message, { reason });
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
