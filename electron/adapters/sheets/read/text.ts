import type { SheetEncoding } from '../../../../shared/contract/sheets.ts';
import { decodeIbm850 } from './ibm850.ts';
import { sheetError } from './refuse.ts';

export interface DecodedText {
  readonly text: string;
  readonly encoding: SheetEncoding;
  /** Whether the file does not declare its encoding, so that the user must check the characters. */
  readonly isGuessed: boolean;
}

const BYTE_ORDER_MARK_BYTES: readonly (readonly [SheetEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Size of the sample (bytes): enough to detect the zeros of UTF-16. */
const SAMPLE_BYTE_COUNT = 2_000;
/**
 * Minimum share of zeros at the even or the odd positions of UTF-16: Latin text has a zero in
 * nearly every second byte.
 */
const MIN_ZERO_SHARE = 0.4;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\uFFFE\uFFFF]/;
const PADDING_CHARACTERS: ReadonlySet<string> = new Set(['\0', '\u001a']);
const UNASSIGNED_WINDOWS_1252 = /[\u0081\u008d\u008f\u0090\u009d]/;
/**
 * Accented letter in a likely case: a small letter after a letter, or a capital at the start of a
 * word or in a word of capitals.
 */
const LIKELY_LETTER = /(?<=\p{L})[à-öø-ÿ]|(?<!\p{L})[À-ÖØ-Þ]|(?<=\p{Lu})[À-ÖØ-Þ]/gu;
/** Maximum bytes of a UTF-8 character that the end of the file truncates. */
const MAX_CUT_BYTES = 3;

/**
 * Decodes a text file: by its first bytes, otherwise as UTF-8 if every byte is valid, as UTF-16 by
 * its zeros, or as Windows-1252, which Excel writes in Western Europe. Throws for control
 * characters and truncated text.
 */
export function decodeText(data: Uint8Array, wanted?: SheetEncoding): DecodedText {
  const decoded =
    wanted === undefined ? guessEncoding(data) : { ...decodeAs(data, wanted), isGuessed: false };
  const text = withoutPadding(decoded.text);
  const found = CONTROL.exec(text);
  if (found === null) return { ...decoded, text };
  const line = text.slice(0, found.index).split(/\r\n|\r|\n/).length;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw sheetError(
    'sheet-text',
    `Line ${line} has a control character (U+${code}) that a sheet cannot have. Choose another encoding, or save the file again as CSV UTF-8`,
  );
}

/**
 * Removes padding from the end of a text: DOS programs end it with Ctrl-Z, and disks fill the last
 * block with NULs.
 */
function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && PADDING_CHARACTERS.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/**
 * Decodes text from a person or a mail server. Guesses the encoding like `decodeText`, but accepts
 * everything: emails contain control characters, and logs are truncated.
 */
export function charactersOf(data: Uint8Array): string {
  const known = bomOf(data) ?? utf16ByZeros(data) ?? (isUtf8(data) ? 'utf-8' : 'windows-1252');
  return new TextDecoder(known).decode(data);
}

function bomOf(data: Uint8Array): SheetEncoding | null {
  return (
    BYTE_ORDER_MARK_BYTES.find(([, sign]) => sign.every((byte, at) => data[at] === byte))?.[0] ??
    null
  );
}

function guessEncoding(data: Uint8Array): DecodedText {
  const said = bomOf(data);
  if (said !== null) return { ...decodeAs(data, said), isGuessed: false };
  const wide = utf16ByZeros(data);
  if (wide !== null) return { ...decodeAs(data, wide), isGuessed: true };
  if (isUtf8(data)) return { ...decodeAs(data, 'utf-8'), isGuessed: false };
  rejectCutText(data);
  return { ...guessOneByte(data), isGuessed: true };
}

/**
 * Decodes a text with one byte per character. Windows-1252 leaves five bytes unused: a file with
 * one of them is older, from a Mac or from DOS. The encoding that gives more plausible words is
 * used.
 */
function guessOneByte(data: Uint8Array): Omit<DecodedText, 'isGuessed'> {
  const western = decodeAs(data, 'windows-1252');
  if (!UNASSIGNED_WINDOWS_1252.test(western.text)) return western;
  const [mac, dos] = [decodeAs(data, 'macintosh'), decodeAs(data, 'ibm850')];
  return countLikelyLetters(dos.text) > countLikelyLetters(mac.text) ? dos : mac;
}

/** Counts the accented letters whose case is likely at their position in a word. */
function countLikelyLetters(text: string): number {
  return text.match(LIKELY_LETTER)?.length ?? 0;
}

function decodeAs(data: Uint8Array, encoding: SheetEncoding): Omit<DecodedText, 'isGuessed'> {
  const isHalf = encoding.startsWith('utf-16') && data.length % 2 === 1;
  // Padding is counted in bytes, so a UTF-16 file may end with half a character of it.
  if (isHalf && PADDING_CHARACTERS.has(String.fromCharCode(data.at(-1) ?? 1))) {
    return decodeAs(data.subarray(0, -1), encoding);
  }
  if (encoding === 'ibm850') return { text: decodeIbm850(data), encoding };
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(data), encoding };
  } catch (cause) {
    const place = encoding === 'utf-8' ? ` at byte ${firstInvalidByteOf(data)}` : '';
    throw sheetError(
      'sheet-text',
      `The file is not complete ${encoding.toUpperCase()} text${place}. Choose another encoding`,
      cause,
    );
  }
}

function utf16ByZeros(data: Uint8Array): SheetEncoding | null {
  const end = data.findLastIndex((byte) => byte !== 0) + 1;
  const sample = data.subarray(0, Math.min(end, SAMPLE_BYTE_COUNT));
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(1, sample.length / 2));
  if (odd > MIN_ZERO_SHARE && even < 0.1) return 'utf-16le';
  return even > MIN_ZERO_SHARE && odd < 0.1 ? 'utf-16be' : null;
}

function isUtf8(data: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data);
    return true;
  } catch {
    // Expected: the function tests whether the data is UTF-8.
    return false;
  }
}

/**
 * Throws for a truncated text, in which only the last character is not valid UTF-8; any other text
 * has another encoding.
 */
function rejectCutText(data: Uint8Array): void {
  for (let cut = 1; cut <= MAX_CUT_BYTES; cut += 1) {
    const head = data.subarray(0, data.length - cut);
    const last = data[head.length] ?? 0;
    const isStart = last >= 0xc2;
    if (isStart && isUtf8(head) && head.some((byte) => byte >= 0x80)) {
      throw sheetError(
        'sheet-text',
        `The file is cut in the middle of a character at byte ${head.length}`,
      );
    }
  }
}

function firstInvalidByteOf(data: Uint8Array): number {
  let [good, bad] = [0, data.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    // Streaming accepts a character that continues after the middle.
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}
