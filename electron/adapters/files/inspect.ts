import { AppError } from '../../../shared/errors.ts';
import { checkSeal, type PdfSeal, type SealedRange } from '../../../shared/rules/files/pdf-seal.ts';
import { beginsTable, headerOffset, lastTable } from '../../../shared/rules/files/pdf-shape.ts';
import type { OpenFile } from './disk.ts';

const KEY = Buffer.from('/ByteRange');
/** Four numbers of ten digits with generous padding. */
const MAX_RANGE_LENGTH = 256;
const NUMBERS = /^\/ByteRange\s*\[([-\d\s]*)\]/;
/** Seals take some ten kilobytes; far above that it is no seal. */
const MAX_GAP = 4 * 1024 * 1024;
/** A file signed more often than that is not looked through. */
const MAX_RANGES = 100;
/** Enough to see how a table begins. */
const TABLE_BYTES = 32;

/** Finds what signatures say they cover, in a stream, keeping a few bytes only. */
export interface SealScan {
  take(chunk: Uint8Array): void;
  /** The numbers of each signature; one that cannot be read has none. */
  ranges(): readonly (readonly number[])[];
}

export function createSealScan(): SealScan {
  const found: number[][] = [];
  let carry = Buffer.alloc(0);
  return {
    take(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (isPlain(carry, bytes)) {
        carry = Buffer.from(bytes.subarray(1 - KEY.length));
        return;
      }
      const window = Buffer.concat([carry, bytes]);
      let keep = Math.max(0, window.length - KEY.length + 1);
      for (let at = window.indexOf(KEY); at >= 0; at = window.indexOf(KEY, at + KEY.length)) {
        const text = window.toString('latin1', at, at + MAX_RANGE_LENGTH);
        if (!text.includes(']') && text.length < MAX_RANGE_LENGTH) {
          keep = at;
          break;
        }
        if (found.length < MAX_RANGES) found.push(numbersOf(text));
      }
      carry = Buffer.from(window.subarray(keep));
    },
    ranges: () => (carry.indexOf(KEY) === 0 ? [...found, []] : found),
  };
}

/** Whether no signature begins in these bytes, nor where they meet the ones before. */
function isPlain(carry: Buffer, bytes: Buffer): boolean {
  if (bytes.length < KEY.length || bytes.includes(KEY)) return false;
  return !Buffer.concat([carry, bytes.subarray(0, KEY.length)]).includes(KEY);
}

function numbersOf(text: string): number[] {
  const listed = NUMBERS.exec(text)?.[1]?.trim() ?? '';
  return listed === '' ? [] : listed.split(/\s+/).map(Number);
}

/** How what was written begins and ends, as `pdfShape` takes it, and its length. */
export interface SeenEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly bytes: number;
}

/**
 * Looks at a PDF that was written: the place it names must hold a cross-reference table. Gives what
 * can be told of its seal.
 */
export async function inspectPdf(
  handle: Pick<OpenFile, 'read'>,
  ends: SeenEnds,
  scan: SealScan,
): Promise<PdfSeal> {
  const place = lastTable(ends.tail);
  const places = place === null ? [] : [place, place + headerOffset(ends.head)];
  const looks = await Promise.all(places.map((at) => readAt(handle, at, TABLE_BYTES)));
  if (!looks.some(beginsTable)) {
    throw new AppError('service', 'The PDF names no table of its parts', { reason: 'cut-answer' });
  }
  const ranges: SealedRange[] = [];
  for (const numbers of scan.ranges()) {
    const [, length = 0, next = 0] = numbers;
    const size = next - length;
    const isReadable = length >= 0 && size > 0 && size <= MAX_GAP && next <= ends.bytes;
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
