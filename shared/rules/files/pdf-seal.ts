/** State of a PDF's seal, without checking a certificate. */
export type PdfSeal =
  | { readonly kind: 'none' }
  | { readonly kind: 'covers'; readonly isTest: boolean }
  /** Bytes were added after the seal was made. */
  | { readonly kind: 'extended'; readonly bytesAfter: number; readonly isTest: boolean }
  /** The covered range of the seal is invalid. */
  | { readonly kind: 'malformed' };

/** Covered range of a signature: `[start, length, start, length]` (ISO 32000-2, 12.8.1). */
export interface SealedRange {
  readonly numbers: readonly number[];
  /** Bytes between the two covered parts; null if they could not be read. */
  readonly gap: string | null;
}

/** Seal in hexadecimal, followed by padding. Zeros alone mean space reserved for a seal. */
const SEAL_PATTERN = /^\s*<(?=[0\s]*[1-9a-f])[0-9a-f\s]+>\s*$/i;

/**
 * Validates all seals of a file together. Every seal must be well-formed and cover the file from
 * its first byte. The last seal determines the covered part; earlier seals cover earlier revisions.
 */
export function checkSeal(ranges: readonly SealedRange[], bytes: number): PdfSeal {
  if (ranges.length === 0) return { kind: 'none' };
  const ends = ranges.map((range) => sealedEndOf(range, bytes));
  if (ends.includes(null)) return { kind: 'malformed' };
  const covered = Math.max(...ends.map((end) => end ?? 0));
  const isTest = ranges.some(({ gap }) => gap !== null && hasTestCertificate(gap));
  return covered === bytes
    ? { kind: 'covers', isTest }
    : { kind: 'extended', bytesAfter: bytes - covered, isTest };
}

/** Common name or organisation of a certificate, in DER (X.520, 6.2.2 and 6.4.1). */
const CERTIFICATE_NAME_PATTERN =
  /06035504(?:03|0a)(?:0c|13|14|16|1e)([0-7][0-9a-f]|81[0-9a-f]{2})/gi;
/** Names in certificates of test services; `Testament AB` must not match. */
const TEST_CERTIFICATE_PATTERN =
  /(?:^|[^\p{L}])(?:test|testing|test ?ca|sandbox|demo|staging|untrusted|not trusted)(?=$|[^\p{L}])/iu;

/** Whether a certificate in the seal has the name of a test service; nothing is verified. */
function hasTestCertificate(gap: string): boolean {
  const hex = gap.replaceAll(/[\s<>]/g, '');
  return [...hex.matchAll(CERTIFICATE_NAME_PATTERN)].some(({ 0: whole, 1: length = '', index }) => {
    const from = index + whole.length;
    const text = hex.slice(from, from + 2 * Number.parseInt(length.slice(-2), 16));
    const letters = text.replaceAll(/../g, (pair) =>
      String.fromCharCode(Number.parseInt(pair, 16)),
    );
    // Names with two bytes per character have a zero before each ASCII character.
    return TEST_CERTIFICATE_PATTERN.test(letters.replaceAll('\u0000', ''));
  });
}

/** Returns the end of the part that a seal covers; null if the seal is malformed. */
function sealedEndOf({ numbers, gap }: SealedRange, bytes: number): number | null {
  const [start, length, next, rest, ...more] = numbers;
  if (start !== 0 || length === undefined || next === undefined || rest === undefined) return null;
  if (more.length > 0 || length <= 0 || rest <= 0 || next <= length) return null;
  if (!numbers.every(Number.isSafeInteger) || next + rest > bytes) return null;
  return gap !== null && SEAL_PATTERN.test(gap) ? next + rest : null;
}

/** Suffix of the stored word for a seal with a test certificate. */
const TEST_SEAL_KIND = 'test';

/**
 * Stored form of a seal's state: its kind, the number of added bytes if any, and `test` if the seal
 * is of a test service (`extended:63:test`).
 */
export function sealWord(seal: PdfSeal): string {
  switch (seal.kind) {
    case 'none':
    case 'malformed':
      return seal.kind;
    case 'covers':
      return seal.isTest ? `covers:${TEST_SEAL_KIND}` : 'covers';
    case 'extended':
      return `extended:${seal.bytesAfter}${seal.isTest ? `:${TEST_SEAL_KIND}` : ''}`;
  }
}

/** Kind in a stored form of `sealWord`: its first part. */
export function sealKind(word: string): string {
  return word.split(':')[0] ?? word;
}

export function isTestSeal(word: string): boolean {
  return word.endsWith(`:${TEST_SEAL_KIND}`);
}

/** Describes the seal in English. Never calls it valid, because its certificate is not checked. */
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
