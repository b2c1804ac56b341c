import type * as Harfbuzz from 'harfbuzzjs';
import type { OpenFont } from './cut-font.ts';

/** A glyph of a line, and the letters it stands for; lengths are in thousandths of the size. */
export interface ShapedGlyph {
  /** Null for one that draws nothing. */
  readonly glyph: number | null;
  readonly text: string;
  /** Where the letters it stands for begin in the paragraph. */
  readonly at: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
  /** Of several glyphs that stand for some letters together. */
  readonly spanned?: Spanned;
}

interface Spanned {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface TextRun {
  readonly from: number;
  readonly to: number;
  readonly isRtl: boolean;
}

/** The text of a glyph that stands for nothing: viewers that read a glyph's letters leave it out. */
const NOTHING_SEEN = '\u200B';
const UNSEEN = /^\p{Cf}$/u;
const UNIT = 1000;

/**
 * The glyphs of a part of a paragraph as they are seen, from left to right. What stands around the
 * part is known to the font, so that letters join as if they stood in one.
 */
export function shape(
  harfbuzz: typeof Harfbuzz,
  { font, unitsPerEm }: OpenFont,
  paragraph: string,
  { from, to, isRtl }: TextRun,
): readonly ShapedGlyph[] {
  const buffer = new harfbuzz.Buffer();
  buffer.addText(paragraph, from, to - from);
  buffer.guessSegmentProperties();
  buffer.setDirection(isRtl ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
  buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS);
  buffer.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
  harfbuzz.shape(font, buffer);
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  const seen = infos.map(({ codepoint, cluster }, place) => ({
    glyph: codepoint,
    at: cluster,
    ...scaledPosition(positions[place], UNIT / unitsPerEm),
  }));
  const clusters = clustersOf(isRtl ? seen.toReversed() : seen, paragraph, to);
  const parts = clusters.map((cluster) => (isRtl ? turned(cluster) : straight(cluster)));
  return (isRtl ? parts.toReversed() : parts).flat();
}

function scaledPosition(position: Harfbuzz.GlyphPosition | undefined, scale: number) {
  const { xAdvance = 0, xOffset = 0, yOffset = 0 } = position ?? {};
  return { advance: xAdvance * scale, x: xOffset * scale, y: yOffset * scale };
}

type Placed = Omit<ShapedGlyph, 'text' | 'glyph' | 'spanned'> & { readonly glyph: number };

/** Glyphs that stand for the same letters together, both in the order of the letters. */
interface Cluster {
  readonly letters: readonly string[];
  readonly glyphs: readonly Placed[];
}

function clustersOf(glyphs: readonly Placed[], paragraph: string, end: number): Cluster[] {
  const starts = [...new Set(glyphs.map(({ at }) => at))];
  let carried: readonly string[] = [];
  return starts.map((at, place) => {
    const next = starts[place + 1];
    const whole = [...carried, ...paragraph.slice(at, next ?? end)];
    // A joiner that took no part in joining belongs to what comes after it.
    const seen = whole.findLastIndex((letter) => !UNSEEN.test(letter)) + 1;
    carried = next === undefined ? [] : whole.slice(seen);
    return { letters: whole.slice(0, seen), glyphs: glyphs.filter((one) => one.at === at) };
  });
}

/** Seen in the order of the letters: the last glyph stands for all letters that are left over. */
function straight({ letters, glyphs }: Cluster): ShapedGlyph[] {
  const last = glyphs.length - 1;
  if (letters.length > last) {
    return glyphs.map((one, place) => ({
      ...one,
      text: letters.slice(place, place === last ? undefined : place + 1).join(''),
    }));
  }
  return spanned(letters, glyphs, false);
}

/**
 * From right to left readers turn a line around letter by letter, so that each letter needs a glyph of
 * its own: those that are joined into one stand beside it, and draw nothing.
 */
function turned({ letters, glyphs }: Cluster): ShapedGlyph[] {
  if (letters.length < glyphs.length) return spanned(letters, glyphs, true);
  const named = glyphs.map((one, place) => ({ ...one, text: letters[place] ?? '' }));
  const [first] = glyphs;
  const more = letters.slice(glyphs.length).map((text) => ({
    glyph: null,
    text,
    at: first?.at ?? 0,
    advance: 0,
    x: 0,
    y: 0,
  }));
  return [...named, ...more].toReversed();
}

/** Fewer letters than glyphs: all of them have the letters together. */
function spanned(
  letters: readonly string[],
  glyphs: readonly Placed[],
  isRtl: boolean,
): ShapedGlyph[] {
  const text = letters.join('');
  const named = glyphs.map((one, place) => ({ ...one, text: letters[place] ?? NOTHING_SEEN }));
  const seen = isRtl ? named.toReversed() : named;
  return seen.map((one, place) => ({
    ...one,
    spanned: { text, isFirst: place === 0, isLast: place === seen.length - 1 },
  }));
}
