import type * as Harfbuzz from 'harfbuzzjs';
import type { OpenFont } from './cut-font.ts';

/** A glyph of a line, and its text; lengths are in thousandths of the font size. */
export interface ShapedGlyph {
  /** Null for a glyph that draws nothing. */
  readonly glyph: number | null;
  readonly text: string;
  /** Start of its text in the paragraph. */
  readonly at: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
  /** Set if several glyphs represent some characters together. */
  readonly spanned?: SpannedText;
}

interface SpannedText {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface TextRun {
  readonly from: number;
  readonly to: number;
  readonly isRtl: boolean;
}

/** Text of a glyph without characters: viewers that extract text skip it. */
const ZERO_WIDTH_SPACE = '\u200B';
const FORMAT_CHARACTER = /^\p{Cf}$/u;
const UNIT = 1000;

/**
 * Returns the glyphs of a part of a paragraph in display order, from left to right. The surrounding
 * text is shaped with it, so that characters join as in the whole paragraph.
 */
export function shapeText(
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
  const parts = clusters.map((cluster) =>
    isRtl ? rightToLeftGlyphs(cluster) : leftToRightGlyphs(cluster),
  );
  return (isRtl ? parts.toReversed() : parts).flat();
}

function scaledPosition(position: Harfbuzz.GlyphPosition | undefined, scale: number) {
  const { xAdvance = 0, xOffset = 0, yOffset = 0 } = position ?? {};
  return { advance: xAdvance * scale, x: xOffset * scale, y: yOffset * scale };
}

type PositionedGlyph = Omit<ShapedGlyph, 'text' | 'glyph' | 'spanned'> & { readonly glyph: number };

/** Glyphs that represent the same characters together, both in the order of the text. */
interface Cluster {
  readonly letters: readonly string[];
  readonly glyphs: readonly PositionedGlyph[];
}

function clustersOf(glyphs: readonly PositionedGlyph[], paragraph: string, end: number): Cluster[] {
  const starts = [...new Set(glyphs.map(({ at }) => at))];
  let carried: readonly string[] = [];
  return starts.map((at, place) => {
    const next = starts[place + 1];
    const whole = [...carried, ...paragraph.slice(at, next ?? end)];
    // A joiner without effect belongs to the text after it.
    const seen = whole.findLastIndex((letter) => !FORMAT_CHARACTER.test(letter)) + 1;
    carried = next === undefined ? [] : whole.slice(seen);
    return { letters: whole.slice(0, seen), glyphs: glyphs.filter((one) => one.at === at) };
  });
}

/** Returns the glyphs of left-to-right text; the last glyph represents all remaining characters. */
function leftToRightGlyphs({ letters, glyphs }: Cluster): ShapedGlyph[] {
  const last = glyphs.length - 1;
  if (letters.length > last) {
    return glyphs.map((one, place) => ({
      ...one,
      text: letters.slice(place, place === last ? undefined : place + 1).join(''),
    }));
  }
  return joinSpannedGlyphs(letters, glyphs, false);
}

/**
 * Returns the glyphs of right-to-left text. Programs that extract text reverse such a line
 * character by character, so each character needs its own glyph. For joined characters, additional
 * glyphs that draw nothing are added.
 */
function rightToLeftGlyphs({ letters, glyphs }: Cluster): ShapedGlyph[] {
  if (letters.length < glyphs.length) return joinSpannedGlyphs(letters, glyphs, true);
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

/**
 * Returns the glyphs of a cluster with fewer characters than glyphs: all glyphs represent the
 * characters together.
 */
function joinSpannedGlyphs(
  letters: readonly string[],
  glyphs: readonly PositionedGlyph[],
  isRtl: boolean,
): ShapedGlyph[] {
  const text = letters.join('');
  const named = glyphs.map((one, place) => ({ ...one, text: letters[place] ?? ZERO_WIDTH_SPACE }));
  const seen = isRtl ? named.toReversed() : named;
  return seen.map((one, place) => ({
    ...one,
    spanned: { text, isFirst: place === 0, isLast: place === seen.length - 1 },
  }));
}
