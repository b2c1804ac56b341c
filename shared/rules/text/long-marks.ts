/**
 * Excess combining marks: without them, each character has at most thirty, as in Unicode's
 * stream-safe format (UAX 15, 13). The time of `normalize` grows with the square of the number of
 * marks, so excess marks must first be removed from every text from outside. No language uses more
 * than about five. U+FF9E and U+FF9F (Japanese) are included, because NFKC makes them marks.
 */
export const EXCESS_COMBINING_MARKS = /(?<=[\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]{1,1000}/gu;

export const withoutExcessMarks = (text: string): string =>
  text.replaceAll(EXCESS_COMBINING_MARKS, '');
