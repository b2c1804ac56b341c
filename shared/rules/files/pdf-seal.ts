/** What can be said of a PDF's seal from outside, without checking a certificate. */
export type PdfSeal =
  | { readonly kind: 'none' }
  /** A seal is present and covers the whole file. */
  | { readonly kind: 'covers'; readonly isTest: boolean }
  /** So many bytes were added after the seal was made. */
  | { readonly kind: 'extended'; readonly bytesAfter: number; readonly isTest: boolean }
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
export function checkSeal(ranges: readonly SealedRange[], bytes: number): PdfSeal {
  if (ranges.length === 0) return { kind: 'none' };
  const ends = ranges.map((range) => endOf(range, bytes));
  if (ends.includes(null)) return { kind: 'malformed' };
  const covered = Math.max(...ends.map((end) => end ?? 0));
  const isTest = ranges.some(({ gap }) => gap !== null && isOfTest(gap));
  return covered === bytes
    ? { kind: 'covers', isTest }
    : { kind: 'extended', bytesAfter: bytes - covered, isTest };
}

/** In DER: the identifiers of a common name and of an organisation (X.520, 6.2.2 and 6.4.1). */
const NAMED = /06035504(?:03|0a)(?:0c|13|14|16|1e)([0-7][0-9a-f]|81[0-9a-f]{2})/gi;
/** How test services name their certificates; `Testament AB` is none. */
const TEST_NAME =
  /(?:^|[^\p{L}])(?:test|testing|test ?ca|sandbox|demo|staging|untrusted|not trusted)(?=$|[^\p{L}])/iu;

/** Whether a certificate within the seal is named as one of a test service; nothing is verified. */
function isOfTest(gap: string): boolean {
  const hex = gap.replaceAll(/[\s<>]/g, '');
  return [...hex.matchAll(NAMED)].some(({ 0: whole, 1: length = '', index }) => {
    const from = index + whole.length;
    const text = hex.slice(from, from + 2 * Number.parseInt(length.slice(-2), 16));
    const letters = text.replaceAll(/../g, (pair) =>
      String.fromCharCode(Number.parseInt(pair, 16)),
    );
    // Names in two bytes a letter have a zero before each of ours.
    return TEST_NAME.test(letters.replaceAll('\u0000', ''));
  });
}

/** How far one seal covers the file, or null when it is malformed. */
function endOf({ numbers, gap }: SealedRange, bytes: number): number | null {
  const [start, length, next, rest, ...more] = numbers;
  if (start !== 0 || length === undefined || next === undefined || rest === undefined) return null;
  if (more.length > 0 || length <= 0 || rest <= 0 || next <= length) return null;
  if (!numbers.every(Number.isSafeInteger) || next + rest > bytes) return null;
  return gap !== null && SEAL.test(gap) ? next + rest : null;
}

/** Behind the word of a seal that was made with a certificate for tests. */
const OF_TEST = 'test';

/**
 * As it is stored: a word, with the number of bytes where there is one, and whether the seal is one
 * of a test service (`extended:63:test`).
 */
export function sealWord(seal: PdfSeal): string {
  switch (seal.kind) {
    case 'none':
    case 'malformed':
      return seal.kind;
    case 'covers':
      return seal.isTest ? `covers:${OF_TEST}` : 'covers';
    case 'extended':
      return `extended:${seal.bytesAfter}${seal.isTest ? `:${OF_TEST}` : ''}`;
  }
}

/** The first part of a word of `sealWord`. */
export function sealKind(word: string): string {
  return word.split(':')[0] ?? word;
}

export function isTestSeal(word: string): boolean {
  return word.endsWith(`:${OF_TEST}`);
}

/** The seal in plain words; never that it is valid, which only its certificate could tell. */
export function sealSentence(word: string): string {
  const made = isTestSeal(word) ? '; its certificate is named like a test certificate' : '';
  switch (sealKind(word)) {
    case 'covers':
      return `a seal is present and covers the whole file${made}`;
    case 'none':
      return 'no seal';
    case 'extended':
      return `${word.split(':')[1] ?? ''} bytes were added after the seal${made}`;
    default:
      return 'the seal is malformed';
  }
}
