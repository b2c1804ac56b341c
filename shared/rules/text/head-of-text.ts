/** The first half of a surrogate pair, left by a cut. */
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * The first `most` UTF-16 units of a text, one fewer if a character would be split. Text of others
 * has no reliable length limit: a service may respond with 32 MiB of anything, so it is cut with
 * this before any regular expression reads it.
 */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}
