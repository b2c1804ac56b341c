import type * as Harfbuzz from 'harfbuzzjs';
import type { PDFDocument, PDFRef } from 'pdf-lib';
import type { CharacterCells, Flow, TextMeasure } from '../text/text-width.ts';
import { toPdfNumber } from '../text/text-frame.ts';
import type { OpenFont } from './cut-font.ts';
import { utf16 } from './code-maps.ts';
import {
  toVisualOrder,
  type ParagraphDirections,
  directionsOf,
  mirrorCharacters,
} from './direction.ts';
import type { Face } from './font-file.ts';
import { lineBreaks } from './line-breaks.ts';
import { OutlineFace } from './outline-face.ts';
import { type PdfFace, roundUnits, UNITS_PER_EM } from './pdf-face.ts';
import { PictureFace } from './picture-face.ts';
import { isEmoji, scriptOf } from './scripts.ts';
import { shapeText, type ShapedGlyph } from './shape.ts';
import { type FontRegistry, type HanVariant, visibleCharactersOf } from './font-registry.ts';
import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

/** A font that draws characters of this document. */
interface UsedFace {
  readonly face: Face;
  readonly letters: Set<string>;
  /** Null while characters still have to be added. */
  drawn: { readonly opened: OpenFont; readonly pdf: PdfFace } | null;
}

/**
 * A grapheme cluster, and the font that has all of its characters; null if there is no such font.
 */
interface Piece {
  readonly at: number;
  readonly text: string;
  readonly used: UsedFace | null;
}

/** Characters with the same font, direction and script. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly glyphs: readonly ShapedGlyph[];
  readonly pdf: PdfFace;
}

/** Maximum number of cached paragraphs: measuring requests the same paragraph repeatedly. */
const MAX_CACHED_TEXTS = 2000;
/**
 * Characters that shaping needs: a space instead of invisible characters, and a circle below a
 * separate mark.
 */
const REQUIRED_CHARACTERS = [' ', '\u25CC'];
/** Line ends, and characters that are removed before drawing. */
const UNDRAWN_CHARACTER = /[\n\f\r\u000B\t\u0085\u2028\u2029\b]/;
/**
 * Code points that are not characters; a font with glyphs for them gives them a private meaning.
 */
const UNASSIGNED_CHARACTER = /\p{Cc}|\p{Cn}|\p{Co}|\p{Cs}/u;

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Text in as many fonts as needed: the program's own font if it has a character, otherwise one of
 * this computer's. Lines follow the direction of their text, and characters join as their script
 * requires.
 */
export class MixedLetters implements TextMeasure {
  readonly height: TextMeasure['height'];
  readonly #document: PDFDocument;
  readonly #shelf: FontRegistry;
  readonly #own: UsedFace;
  readonly #used: UsedFace[];
  /** First font that was chosen for a grapheme cluster. */
  readonly #chosen = new Map<string, UsedFace>();
  readonly #flows = new Map<string, MixedFlow>();
  #harfbuzz: typeof Harfbuzz | null = null;
  #cuts = 0;

  constructor(options: {
    readonly document: PDFDocument;
    readonly shelf: FontRegistry;
    readonly own: Face;
    /** Line height of the form's other lines, for any content. */
    readonly height: TextMeasure['height'];
  }) {
    this.#document = options.document;
    this.#shelf = options.shelf;
    this.#own = { face: options.own, letters: new Set(REQUIRED_CHARACTERS), drawn: null };
    this.#used = [this.#own];
    this.height = options.height;
  }

  /** Prepares the fonts for these texts; a character that no font has stays missing. */
  async add(texts: Iterable<string>): Promise<void> {
    this.#harfbuzz ??= await import('harfbuzzjs');
    const paragraphs = [...new Set([...texts].flatMap((text) => text.split(UNDRAWN_CHARACTER)))];
    const isChosen = (text: string) => this.#piecesOf(text).every(({ used }) => used !== null);
    if (!paragraphs.every(isChosen)) {
      this.#shelf.look();
      for (const text of paragraphs) this.#choose(text);
    }
    // If a font cannot be opened after all, the next font gets its characters.
    while (!(await this.#cutAll())) for (const text of paragraphs) this.#choose(text);
    // Assigns codes to most glyphs before the first line is drawn.
    for (const text of paragraphs.slice(0, MAX_CACHED_TEXTS))
      this.flow(text).draw(0, text.length, UNITS_PER_EM);
  }

  missing(text: string): string | undefined {
    for (const paragraph of text.split(UNDRAWN_CHARACTER)) {
      const without = this.#piecesOf(paragraph).find(({ used }) => used === null);
      if (without !== undefined) return this.#lacking(without.text);
      const { missing } = this.flow(paragraph);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  flow(paragraph: string): MixedFlow {
    const known = this.#flows.get(paragraph);
    if (known !== undefined) return known;
    if (this.#flows.size >= MAX_CACHED_TEXTS) this.#flows.clear();
    const pieces = this.#piecesOf(paragraph);
    const directions = directionsOf(paragraph);
    const runs = this.#runsOf(paragraph, pieces, directions);
    const flow = new MixedFlow(paragraph, { runs, isRtl: directions.isRtl, pieces });
    this.#flows.set(paragraph, flow);
    return flow;
  }

  /** Returns the characters for cells. Each is drawn separately in its cell, with its marks. */
  cells(text: string, most: number): CharacterCells {
    const { isRtl, levelAt } = directionsOf(text);
    const letters = [...graphemeSegmenter.segment(text)]
      .slice(0, most)
      .map(({ segment, index }) => ({
        level: levelAt(index),
        flow: this.flow(segment),
      }));
    return { isRtl, letters: toVisualOrder(letters).map(({ flow }) => flow) };
  }

  /** Writes the fonts into the document, with the glyphs drawn so far. */
  async write(): Promise<void> {
    for (const { drawn } of this.#used) await drawn?.pdf.write();
  }

  get isWritten(): boolean {
    return this.#used.every(({ drawn }) => drawn === null || drawn.pdf.isWritten);
  }

  resources(): readonly (readonly [name: string, ref: PDFRef])[] {
    return this.#used.flatMap(({ drawn }) => drawn?.pdf.resources() ?? []);
  }

  #lacking(cluster: string): string {
    const letters = visibleCharactersOf(cluster);
    const lacked = letters.find(
      (letter) => UNASSIGNED_CHARACTER.test(letter) || this.#shelf.fontFor(letter, 'SC') === null,
    );
    return lacked ?? letters[0] ?? cluster;
  }

  #choose(text: string): void {
    const wish = hanVariantOf(text);
    let last = this.#own;
    for (const { segment } of graphemeSegmenter.segment(text)) {
      const used = this.#fontFor(segment, last, wish);
      if (used === null) continue;
      last = used;
      const key = `${wish} ${segment}`;
      if (!this.#chosen.has(key)) this.#chosen.set(key, used);
      for (const letter of mirrorCharacters([
        ...segment,
        ...segment.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFD'),
      ])) {
        if (used.letters.has(letter)) continue;
        used.letters.add(letter);
        used.drawn = null;
      }
    }
  }

  /**
   * Returns the font for a cluster. Prefers the program's own font, then the font of the previous
   * character.
   */
  #fontFor(cluster: string, last: UsedFace, wish: HanVariant): UsedFace | null {
    if (UNASSIGNED_CHARACTER.test(cluster)) return null;
    const isPicture = isEmoji(cluster);
    const near = isPicture ? [] : [this.#own, last];
    const found = near.find(({ face }) => this.#shelf.has(face, cluster));
    if (found !== undefined) return found;
    const face = this.#shelf.fontFor(cluster, wish);
    if (face === null) return null;
    const known = this.#used.find((used) => used.face === face);
    if (known !== undefined) return known;
    const used: UsedFace = { face, letters: new Set(REQUIRED_CHARACTERS), drawn: null };
    this.#used.push(used);
    return used;
  }

  /**
   * Returns the pieces of a text as chosen by `#choose`: only in fonts that already include these
   * characters.
   */
  #piecesOf(text: string): readonly Piece[] {
    const wish = hanVariantOf(text);
    let last: UsedFace = this.#own;
    return [...graphemeSegmenter.segment(text)].map(({ segment, index }) => {
      const isCut = ({ letters }: UsedFace) => [...segment].every((letter) => letters.has(letter));
      const used = isEmoji(segment)
        ? undefined
        : [this.#own, last].find((one) => isCut(one) && this.#shelf.has(one.face, segment));
      const chosen =
        used ??
        [wish, ...HAN_VARIANTS].map((one) => this.#chosen.get(`${one} ${segment}`)).find(Boolean) ??
        null;
      last = chosen ?? last;
      return { at: index, text: segment, used: chosen };
    });
  }

  /** Cuts the fonts; returns false if a font is gone. */
  async #cutAll(): Promise<boolean> {
    let isWhole = true;
    for (const used of [...this.#used]) {
      if (used.drawn === null && !(await this.#cut(used))) isWhole = false;
    }
    return isWhole;
  }

  async #cut(used: UsedFace): Promise<boolean> {
    this.#flows.clear();
    const opened = await this.#shelf.open(used.face, used.letters);
    if (opened === null) {
      if (used === this.#own) throw new Error('The font of the program cannot be opened');
      this.#forget(used);
      return false;
    }
    this.#cuts += 1;
    const resource = `${FONT_RESOURCE_PREFIX}${this.#cuts}`;
    const pdf =
      used.face.outlines === null
        ? new PictureFace(this.#document, opened, resource)
        : new OutlineFace(this.#document.context, opened, resource);
    used.drawn = { opened, pdf };
    return true;
  }

  #forget(used: UsedFace): void {
    this.#used.splice(this.#used.indexOf(used), 1);
    for (const [key, chosen] of this.#chosen) if (chosen === used) this.#chosen.delete(key);
  }

  #runsOf(
    paragraph: string,
    pieces: readonly Piece[],
    { levelAt }: ParagraphDirections,
  ): readonly Run[] {
    const spans: Span[] = [];
    for (const { at, text, used } of pieces) {
      if (used === null) continue;
      const level = levelAt(at);
      const script = scriptOf(text);
      const last = spans.at(-1);
      const isSame =
        last?.used === used &&
        last.level === level &&
        (script === null || last.script === null || last.script === script);
      if (last === undefined || !isSame) {
        spans.push({ from: at, to: at + text.length, level, used, script });
        continue;
      }
      last.to = at + text.length;
      last.script ??= script;
    }
    return spans.flatMap((span) => this.#shaped(paragraph, span));
  }

  #shaped(paragraph: string, { from, to, level, used }: Span): Run[] {
    const { drawn } = used;
    if (drawn === null || this.#harfbuzz === null) return [];
    const run = { from, to, isRtl: level % 2 === 1 };
    const glyphs = shapeText(this.#harfbuzz, drawn.opened, paragraph, run);
    return [{ from, to, level, glyphs, pdf: drawn.pdf }];
  }
}

interface Span {
  readonly from: number;
  to: number;
  readonly level: number;
  readonly used: UsedFace;
  script: string | null;
}

const FONT_RESOURCE_PREFIX = 'T';
const HAN_VARIANTS: readonly HanVariant[] = ['SC', 'JP', 'KR'];

/** Returns the variant of Han characters in a text, by their neighbouring characters. */
function hanVariantOf(text: string): HanVariant {
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) return 'JP';
  return /\p{Script=Hangul}/u.test(text) ? 'KR' : 'SC';
}

/** One shaped paragraph, from which lines are cut without shaping again. */
class MixedFlow implements Flow {
  readonly isRtl: boolean;
  /** First character that its font could not draw after all. */
  readonly missing: string | undefined;
  readonly #text: string;
  readonly #runs: readonly Run[];
  readonly #breaks: readonly number[];

  constructor(
    text: string,
    { runs, isRtl, pieces }: { runs: readonly Run[]; isRtl: boolean; pieces: readonly Piece[] },
  ) {
    this.#text = text;
    this.#runs = runs;
    this.isRtl = isRtl;
    const starts = pieces.map(({ at }) => at);
    this.#breaks = lineBreaks(text, starts);
    const lacking = runs.flatMap(({ glyphs, pdf }) =>
      glyphs.filter(({ glyph, text: letters }) => letters.trim() !== '' && !pdf.canShow(glyph)),
    );
    this.missing = lacking[0]?.text;
  }

  width(from: number, to: number): number {
    let width = 0;
    for (const { glyphs } of this.#runs) {
      for (const { at, advance } of glyphs) if (at >= from && at < to) width += advance;
    }
    return width;
  }

  /** Returns the widths of the pieces, each with the space after it. */
  pieces(): readonly number[] {
    const ends = this.#breaks.map((at) => (isSpace(this.#text.charAt(at)) ? at + 1 : at));
    const places = [...new Set([0, ...ends, this.#text.length])];
    return places.slice(1).map((end, place) => this.width(places[place] ?? 0, end));
  }

  breakBefore(from: number, to: number): number {
    return this.#breaks.findLast((at) => at > from && at < to) ?? from;
  }

  draw(from: number, to: number, size: number): string {
    const parts = this.#runs
      .filter((run) => run.from < to && run.to > from)
      .map(({ level, glyphs, pdf }) => ({
        level,
        pdf,
        glyphs: glyphs.filter(({ at }) => at >= from && at < to),
      }));
    const pen = new GlyphPen(size);
    for (const { glyphs, pdf } of toVisualOrder(parts))
      for (const glyph of glyphs) pen.show(glyph, pdf);
    return pen.operators();
  }
}

const isSpace = (letter: string): boolean => /\s/.test(letter);

/** Writes glyphs one after the other, as PDF operators (PDF 1.7, 9.4.3). */
class GlyphPen {
  readonly #size: number;
  #written = '';
  #open = '';
  #codes = '';
  #resource = '';
  #rise = 0;
  /** Pending pen movement before the next glyph, in thousandths of the font size. */
  #behind = 0;

  constructor(size: number) {
    this.#size = size;
  }

  show({ glyph, text, advance, x, y, spanned }: ShapedGlyph, pdf: PdfFace): void {
    const { resource, code, width } = pdf.show(glyph, text);
    if (spanned?.isFirst === true) {
      this.#close();
      this.#written += `/Span <</ActualText <FEFF${utf16(spanned.text)}>>> BDC\n`;
    }
    this.#choose(resource, roundUnits(y));
    this.#move(this.#behind + x);
    this.#codes += code;
    this.#behind += advance - width;
    if (spanned?.isLast !== true) return;
    this.#close();
    this.#written += 'EMC\n';
  }

  operators(): string {
    this.#close();
    if (this.#rise !== 0) this.#written += '0 Ts\n';
    return this.#written;
  }

  #choose(resource: string, rise: number): void {
    if (resource === this.#resource && rise === this.#rise) return;
    this.#close();
    if (resource !== this.#resource)
      this.#written += `/${resource} ${toPdfNumber(this.#size)} Tf\n`;
    if (rise !== this.#rise)
      this.#written += `${toPdfNumber((rise * this.#size) / UNITS_PER_EM)} Ts\n`;
    this.#resource = resource;
    this.#rise = rise;
  }

  /** Moves the pen; `#behind` keeps the rounding error of the movement. */
  #move(by: number): void {
    const moved = roundUnits(by);
    this.#behind -= moved;
    if (moved === 0) return;
    this.#endCodes();
    this.#open += `${toPdfNumber(-moved)} `;
  }

  #endCodes(): void {
    if (this.#codes !== '') this.#open += `<${this.#codes}>`;
    this.#codes = '';
  }

  #close(): void {
    this.#endCodes();
    if (this.#open !== '') this.#written += `[${this.#open}] TJ\n`;
    this.#open = '';
  }
}
