/**
 * Average width of a character, compared with the digit 0 (the CSS unit `ch`); a little more than
 * measured, so that texts with wide letters fit.
 */
const CHARACTER_WIDTH_CH = 0.92;
/** Number of lines whose texts are measured: a list may have ten thousand. */
export const MAX_MEASURED_LINES = 200;

/** Width of a column that is as wide as its longest text; `beside` is the width of icons (rem). */
export function contentWidth(texts: readonly string[], beside = 0): string {
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  const width = (longest * CHARACTER_WIDTH_CH).toFixed(1);
  return `minmax(0, calc(${width}ch + ${String(beside)}rem))`;
}
