/** What can be said of a PDF's seal from outside, without checking a certificate. */
export type PdfSeal =
  | { readonly kind: 'none' }
  /** A seal is present and covers the whole file. */
  | { readonly kind: 'covers' }
  /** So many bytes were added after the seal was made. */
  | { readonly kind: 'extended'; readonly bytesAfter: number }
  /** The seal does not say rightly what it covers. */
  | { readonly kind: 'malformed' };

/** What a signature says it covers: `[start, length, start, length]` (ISO 32000-2, 12.8.1). */
export interface SealedRange {
  readonly numbers: readonly number[];
  /** What lies between the two covered parts; null when it could not be read. */
  readonly gap: string | null;
}

/** A seal in hexadecimal, with padding behind it; one of zeros alone is a place kept free. */
const SEAL = /^\s*<(?=[0\s]*[1-9a-f])[0-9a-f\s]+>\s*$/i;

/**
 * Judges all seals of a file together: every one must be well-formed and begin with the file, and
 * the last one tells how far the file is covered. Earlier ones cover the revision they were made in.
 */
export function judgeSeal(ranges: readonly SealedRange[], bytes: number): PdfSeal {
  if (ranges.length === 0) return { kind: 'none' };
  const ends = ranges.map((range) => endOf(range, bytes));
  if (ends.includes(null)) return { kind: 'malformed' };
  const covered = Math.max(...ends.map((end) => end ?? 0));
  return covered === bytes ? { kind: 'covers' } : { kind: 'extended', bytesAfter: bytes - covered };
}

/** How far one seal covers the file, or null when it is malformed. */
function endOf({ numbers, gap }: SealedRange, bytes: number): number | null {
  const [start, length, next, rest, ...more] = numbers;
  if (start !== 0 || length === undefined || next === undefined || rest === undefined) return null;
  if (more.length > 0 || length <= 0 || rest <= 0 || next <= length) return null;
  if (!numbers.every(Number.isSafeInteger) || next + rest > bytes) return null;
  return gap !== null && SEAL.test(gap) ? next + rest : null;
}

/** As it is stored and shown in lists: one word, with the number of bytes where there is one. */
export function sealWord(seal: PdfSeal): string {
  return seal.kind === 'extended' ? `extended:${seal.bytesAfter}` : seal.kind;
}

/** The seal in plain words; never that it is valid, which only its certificate could tell. */
export function sealSentence(word: string): string {
  const [kind, bytes] = word.split(':');
  switch (kind) {
    case 'covers':
      return 'a seal is present and covers the whole file';
    case 'none':
      return 'no seal';
    case 'extended':
      return `${bytes ?? ''} bytes were added after the seal`;
    default:
      return 'the seal is malformed';
  }
}
