/** Scripts without spaces between words, where lines may end between any two characters. */
const IDEOGRAPHIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]|\p{Emoji_Presentation}/u;
/** Scripts without spaces, where lines end between dictionary words. */
const DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * Characters that cannot begin a line: closing ones, and small letters that lengthen the character
 * before.
 */
const NOT_FIRST_IN_LINE =
  /^[\p{Pe}\p{Pf}\p{M}、。，．・：；！？…‥ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ,.:;!?%‰℃]/u;
/** Characters that cannot end a line. */
const NOT_LAST_IN_LINE = /[\p{Ps}\p{Pi}]$/u;

const thaiWordSegmenter = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Returns the positions where a line may end, ascending: before a space, and between characters of
 * a script that needs no spaces. The rules are a short form of UAX 14 for the characters of names
 * and addresses. `clusters` are the starts of grapheme clusters.
 */
export function lineBreaks(text: string, clusters: readonly number[]): readonly number[] {
  const breaks = new Set<number>();
  for (let at = 0; at < text.length; at += 1) if (/\s/.test(text.charAt(at))) breaks.add(at);
  for (const [place, at] of clusters.entries()) {
    const before = text.slice(clusters[place - 1] ?? 0, at);
    const after = text.slice(at, clusters[place + 1]);
    if (place > 0 && mayBreak(before, after)) breaks.add(at);
  }
  if (DICTIONARY.test(text)) {
    const starts = new Set(clusters);
    for (const { index } of thaiWordSegmenter.segment(text)) {
      const isInside = DICTIONARY.test(text.slice(index - 1, index + 1));
      if (
        index > 0 &&
        isInside &&
        starts.has(index) &&
        !NOT_FIRST_IN_LINE.test(text.slice(index))
      ) {
        breaks.add(index);
      }
    }
  }
  return [...breaks].toSorted((one, other) => one - other);
}

function mayBreak(before: string, after: string): boolean {
  if (!IDEOGRAPHIC.test(before) && !IDEOGRAPHIC.test(after)) return false;
  if (/\s$/.test(before) || /^\s/.test(after)) return false;
  return !NOT_FIRST_IN_LINE.test(after) && !NOT_LAST_IN_LINE.test(before);
}
