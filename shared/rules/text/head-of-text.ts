/** Whether a UTF-16 unit is the first half of a surrogate pair, which a cut may leave. */
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * Returns the first `most` UTF-16 units of a text, one fewer if a character would be split. Text
 * from outside has no reliable length limit: a service may respond with 32 MiB. Such text must
 * therefore be cut with this function before any regular expression reads it.
 */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}
