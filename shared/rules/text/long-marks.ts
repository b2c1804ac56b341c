/**
 * A text with at most thirty marks on each letter, as Unicode's stream-safe form has it (UAX 15, 13):
 * putting marks in order takes the square of their number. For texts of others, before `normalize`.
 */
export function withoutLongMarks(text: string): string {
  return LONG.test(text) ? text.replaceAll(LONG_ALL, '$1') : text;
}

/** No language has more than some five; two signs of Japanese become marks too. */
const LONG = /[\p{M}\uFF9E\uFF9F]{31}/u;
const LONG_ALL = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;
