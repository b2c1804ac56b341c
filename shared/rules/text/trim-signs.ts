const MATCHES_NOTHING = /(?!)/;

/**
 * Removes matching characters from both ends of a text, one UTF-16 unit at a time: a regular
 * expression such as `x+$` starts again at every character of a long run.
 */
export function trimCharacters(
  text: string,
  {
    first = MATCHES_NOTHING,
    last = MATCHES_NOTHING,
  }: { readonly first?: RegExp; readonly last?: RegExp },
): string {
  let from = 0;
  let to = text.length;
  while (from < to && first.test(text.charAt(from))) from += 1;
  while (to > from && last.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
