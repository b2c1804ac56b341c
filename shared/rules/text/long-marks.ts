/**
 * Excess combining marks: without them, each character has at most thirty, as in Unicode's
 * stream-safe format (UAX 15, 13). `normalize` orders marks in time that grows with the square of
 * their number, so every text of others must be stripped first. No language uses more than about
 * five; two Japanese characters become marks too.
 */
export const EXCESS_COMBINING_MARKS = /(?<=[\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]{1,1000}/gu;

export const withoutExcessMarks = (text: string): string =>
  text.replaceAll(EXCESS_COMBINING_MARKS, '');
