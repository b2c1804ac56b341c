import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

/** Letters that Unicode does not decompose, with their ASCII substitutes. */
const asciiByLetter: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['ı', 'i'],
]);

/**
 * Sort keys of Swedish and Finnish letters: å, ä and ö come after z (as the ASCII characters after
 * z), and ü is sorted as y.
 */
const sortKeyByLetter: ReadonlyMap<string, string> = new Map([
  ['å', '{'],
  ['ä', '|'],
  ['æ', '|'],
  ['ö', '}'],
  ['ø', '}'],
  ['ü', 'y'],
]);

const ASCII = /^[\0-\x7f]*$/;
const UNDIVIDED_LETTERS = /[øłđðþæœßı]/gu;
const SWEDISH_LETTERS = /[åäæöøü]/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Pattern of a UUID, complete or partly typed, which counts as one word, not five. */
const UUID = /\b[\da-f]{8}-[\da-f]{1,4}(?:-[\da-f]{1,4}){0,2}(?:-[\da-f]{1,12})?\b/gu;

/**
 * Returns a text in lower case without accents, so that `oberg` finds `Öberg` and `lodz` finds
 * `Łódź`.
 */
function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  return plain.replaceAll(UNDIVIDED_LETTERS, (letter) => asciiByLetter.get(letter) ?? letter);
}

/** Returns the folded words of a text: runs of letters and digits. */
export function wordsOf(text: string): readonly string[] {
  const whole = foldText(text).replaceAll(UUID, (id) => id.replaceAll('-', ''));
  return whole.match(WORDS) ?? [];
}

/**
 * Returns a sort key whose code point order is Swedish: case and accents are ignored, and å, ä and
 * ö come after z.
 */
export function titleKey(title: string): string {
  const lower = title.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const placed = lower
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC')
    .replaceAll(SWEDISH_LETTERS, (letter) => sortKeyByLetter.get(letter) ?? letter);
  return foldText(placed);
}
