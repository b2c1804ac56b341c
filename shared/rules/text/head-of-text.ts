/** The first half of a surrogate pair, left behind by a cut. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * The first `most` UTF-16 units of a text, one fewer where a character would be cut in two. What
 * other people wrote has no length that can be relied on: it is cut with this before any expression
 * looks at it, since a service may answer with 32 MiB of anything.
 */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isFirstHalf(text.charCodeAt(most - 1)) ? most - 1 : most);
}
