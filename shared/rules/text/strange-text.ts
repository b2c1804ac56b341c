/** All control characters except tabs and line ends, and direction marks. */
const CONTROL_CHARACTERS =
  /[\0-\u{8}\v\f\u{e}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Path of a text with control characters in data from outside; null if no text has them. The data
 * may be nested as deeply as JSON can be.
 */
export function placeOfControlCharacters(whole: Readonly<Record<string, unknown>>): string | null {
  const waiting = Object.entries(whole).map(([at, value]) => ({ at, value }));
  for (;;) {
    const part = waiting.pop();
    if (part === undefined) return null;
    const { at, value } = part;
    if (typeof value === 'string' && CONTROL_CHARACTERS.test(value)) return at;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      waiting.push({ at: `${at}.${name}`.slice(0, MAX_PLACE_LENGTH), value: inner });
    }
  }
}

const MAX_PLACE_LENGTH = 200;
