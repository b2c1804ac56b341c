import { AppError } from '../../../shared/errors.ts';
import { checkSeal, type PdfSeal, type SealedRange } from '../../../shared/rules/files/pdf-seal.ts';
import {
  startsWithTable,
  headerOffset,
  lastTableOffset,
} from '../../../shared/rules/files/pdf-shape.ts';
import type { OpenFile } from './disk.ts';

const BYTE_RANGE_KEY = Buffer.from('/ByteRange');
/**
 * Maximum length of a /ByteRange (characters): four numbers of ten digits with generous padding.
 */
const MAX_RANGE_LENGTH = 256;
const BYTE_RANGE_NUMBERS = /^\/ByteRange\s*\[([-\d\s]*)\]/;
/** Maximum size of a seal (bytes); real seals have about 10 KB. */
const MAX_SEAL_BYTES = 4 * 1024 * 1024;
/** Maximum signatures examined per file. */
const MAX_RANGES = 100;
/** Bytes needed to recognise the start of a cross-reference table. */
const TABLE_BYTES = 32;

/** Finds the signed byte ranges (/ByteRange) in a stream, keeping only a few bytes. */
export interface SealScan {
  take(chunk: Uint8Array): void;
  /**
   * Returns the numbers of each signature's range; empty for a signature whose numbers cannot be
   * read.
   */
  ranges(): readonly (readonly number[])[];
}

export function createSealScan(): SealScan {
  const found: number[][] = [];
  let carry = Buffer.alloc(0);
  return {
    take(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (hasNoKeyStart(carry, bytes)) {
        carry = Buffer.from(bytes.subarray(1 - BYTE_RANGE_KEY.length));
        return;
      }
      const window = Buffer.concat([carry, bytes]);
      let keep = Math.max(0, window.length - BYTE_RANGE_KEY.length + 1);
      for (
        let at = window.indexOf(BYTE_RANGE_KEY);
        at >= 0;
        at = window.indexOf(BYTE_RANGE_KEY, at + BYTE_RANGE_KEY.length)
      ) {
        const text = window.toString('latin1', at, at + MAX_RANGE_LENGTH);
        if (!text.includes(']') && text.length < MAX_RANGE_LENGTH) {
          keep = at;
          break;
        }
        if (found.length < MAX_RANGES) found.push(numbersOf(text));
      }
      carry = Buffer.from(window.subarray(keep));
    },
    ranges: () => (carry.indexOf(BYTE_RANGE_KEY) === 0 ? [...found, []] : found),
  };
}

/** Whether no /ByteRange begins in these bytes or across their boundary with the previous bytes. */
function hasNoKeyStart(carry: Buffer, bytes: Buffer): boolean {
  if (bytes.length < BYTE_RANGE_KEY.length || bytes.includes(BYTE_RANGE_KEY)) return false;
  return !Buffer.concat([carry, bytes.subarray(0, BYTE_RANGE_KEY.length)]).includes(BYTE_RANGE_KEY);
}

function numbersOf(text: string): number[] {
  const listed = BYTE_RANGE_NUMBERS.exec(text)?.[1]?.trim() ?? '';
  return listed === '' ? [] : listed.split(/\s+/).map(Number);
}

/** Head, tail and length of a written file, as `pdfShape` expects them. */
export interface InspectedEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly bytes: number;
}

/**
 * Checks a written PDF: its startxref must point to a cross-reference table. Returns the result of
 * checking its seal. Throws 'service' with 'cut-answer' if the table is missing.
 */
export async function inspectPdf(
  handle: Pick<OpenFile, 'read'>,
  ends: InspectedEnds,
  scan: SealScan,
): Promise<PdfSeal> {
  const place = lastTableOffset(ends.tail);
  const places = place === null ? [] : [place, place + headerOffset(ends.head)];
  const looks = await Promise.all(places.map((at) => readAt(handle, at, TABLE_BYTES)));
  if (!looks.some(startsWithTable)) {
    throw new AppError('service', 'The PDF is incomplete: its end is missing. Download it again', {
      reason: 'cut-answer',
    });
  }
  const ranges: SealedRange[] = [];
  for (const numbers of scan.ranges()) {
    const [, length = 0, next = 0] = numbers;
    const size = next - length;
    const isReadable = length >= 0 && size > 0 && size <= MAX_SEAL_BYTES && next <= ends.bytes;
    const gap = isReadable ? await readAt(handle, length, size) : null;
    ranges.push({ numbers, gap: gap === null ? null : gap.toString('latin1') });
  }
  return checkSeal(ranges, ends.bytes);
}

async function readAt(
  handle: Pick<OpenFile, 'read'>,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
