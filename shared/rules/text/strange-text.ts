/** All control characters but tabs and line ends, and what turns the direction of a text. */
const STRANGE = /[\0-\u{8}\v\f\u{e}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * The place of a text with signs that nobody sees, in what somebody else wrote; null where there is none. It may be
 * as deep as JSON can be.
 */
export function placeOfStrangeText(whole: Readonly<Record<string, unknown>>): string | null {
  const waiting = Object.entries(whole).map(([at, value]) => ({ at, value }));
  for (;;) {
    const part = waiting.pop();
    if (part === undefined) return null;
    const { at, value } = part;
    if (typeof value === 'string' && STRANGE.test(value)) return at;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      waiting.push({ at: `${at}.${name}`.slice(0, MAX_PLACE_LENGTH), value: inner });
    }
  }
}

const MAX_PLACE_LENGTH = 200;
