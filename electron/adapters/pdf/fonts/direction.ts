/// <reference path="./bidi.d.ts" />
import bidiFactory from 'bidi-js/dist/bidi.mjs';

const bidiAlgorithm = bidiFactory();

/** Right-to-left characters, and direction control characters. */
const RIGHT_TO_LEFT_CHARACTERS =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Direction of the characters of a paragraph: odd levels run from right to left (UAX 9). */
export interface ParagraphDirections {
  readonly isRtl: boolean;
  levelAt(place: number): number;
}

/**
 * Returns the directions of a paragraph. Its own direction is that of its first character with a
 * direction.
 */
export function directionsOf(paragraph: string): ParagraphDirections {
  if (!RIGHT_TO_LEFT_CHARACTERS.test(paragraph)) return { isRtl: false, levelAt: () => 0 };
  const { levels, paragraphs } = bidiAlgorithm.getEmbeddingLevels(paragraph, 'auto');
  return { isRtl: (paragraphs[0]?.level ?? 0) % 2 === 1, levelAt: (place) => levels[place] ?? 0 };
}

/**
 * Returns each character followed by its mirrored form, for right-to-left text: "(" is followed by
 * ")".
 */
export function mirrorCharacters(letters: readonly string[]): string[] {
  return letters.flatMap((letter) => [
    letter,
    bidiAlgorithm.getMirroredCharacter(letter) ?? letter,
  ]);
}

/** Orders the parts of a line as they are displayed, from left to right (UAX 9, L2). */
export function toVisualOrder<Part extends { readonly level: number }>(
  parts: readonly Part[],
): Part[] {
  const seen = [...parts];
  const highest = Math.max(0, ...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    let from = 0;
    while (from < seen.length) {
      let to = from;
      while (to < seen.length && (seen[to]?.level ?? 0) >= level) to += 1;
      if (to > from) seen.splice(from, to - from, ...seen.slice(from, to).toReversed());
      from = to + 1;
    }
  }
  return seen;
}
