/// <reference path="./bidi.d.ts" />
import bidiFactory from 'bidi-js/dist/bidi.mjs';

const bidi = bidiFactory();

/** Letters that run from right to left, and the signs that ask for a direction. */
const TURNED =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** How the letters of a paragraph run: odd levels run from right to left (UAX 9). */
export interface Directions {
  readonly isRtl: boolean;
  levelAt(place: number): number;
}

/** The paragraph runs as its first letter with a direction does. */
export function directionsOf(paragraph: string): Directions {
  if (!TURNED.test(paragraph)) return { isRtl: false, levelAt: () => 0 };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph, 'auto');
  return { isRtl: (paragraphs[0]?.level ?? 0) % 2 === 1, levelAt: (place) => levels[place] ?? 0 };
}

/** The letters, and those that brackets turn into from right to left. */
export function withMirrored(letters: readonly string[]): string[] {
  return letters.flatMap((letter) => [letter, bidi.getMirroredCharacter(letter) ?? letter]);
}

/** Parts of a line in the order in which they are seen, from left to right (UAX 9, L2). */
export function asSeen<Part extends { readonly level: number }>(parts: readonly Part[]): Part[] {
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
