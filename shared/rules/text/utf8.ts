/** Number of octets of a text in UTF-8, where half a surrogate pair is a replacement character. */
export function utf8Length(text: string): number {
  let octets = 0;
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at) ?? 0;
    octets += octetsOf(point);
    at += unitsOf(point);
  }
  return octets;
}

/**
 * Splits a text into parts: the first part has at most `first` octets, each later part at most
 * `others`. Returns at least one part, and never splits a character.
 */
export function splitByUtf8Length(text: string, first: number, others: number): readonly string[] {
  const stretches: string[] = [];
  let begun = 0;
  let octets = 0;
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at) ?? 0;
    const size = octetsOf(point);
    if (octets + size > (begun === 0 ? first : others)) {
      stretches.push(text.slice(begun, at));
      begun = at;
      octets = 0;
    }
    octets += size;
    at += unitsOf(point);
  }
  return [...stretches, text.slice(begun)];
}

const octetsOf = (point: number): number =>
  point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;

const unitsOf = (point: number): number => (point < 0x1_00_00 ? 1 : 2);
