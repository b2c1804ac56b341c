import { type PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import { toUnicode } from './code-maps.ts';
import type { OpenFont } from './cut-font.ts';
import { type PdfFace, roundUnits, type ShownGlyph, UNITS_PER_EM } from './pdf-face.ts';

/**
 * Maximum codes of a Type 3 font, whose glyphs are drawings (PDF 1.7, 9.6.5): one byte, without 0.
 */
const MAX_GLYPHS = 255;

interface DrawnGlyph {
  readonly code: number;
  readonly glyph: number | null;
  readonly text: string;
}

interface Part {
  readonly resource: string;
  readonly ref: PDFRef;
  readonly texts: PDFRef;
  readonly glyphs: Map<string, DrawnGlyph>;
  written: number;
}

/** A font of coloured pictures, such as emoji: each picture is an image in the PDF. */
export class PictureFace implements PdfFace {
  readonly #opened: OpenFont;
  readonly #document: PDFDocument;
  readonly #resource: string;
  readonly #parts: Part[] = [];
  readonly #images = new Map<number, { readonly ref: PDFRef; readonly shape: number }>();

  constructor(document: PDFDocument, opened: OpenFont, resource: string) {
    this.#document = document;
    this.#opened = opened;
    this.#resource = resource;
  }

  show(glyph: number | null, text: string): ShownGlyph {
    const key = `${glyph} ${text}`;
    const part = this.#parts.find(({ glyphs }) => glyphs.has(key)) ?? this.#roomy();
    const known = part.glyphs.get(key) ?? { code: part.glyphs.size + 1, glyph, text };
    part.glyphs.set(key, known);
    const code = known.code.toString(16).padStart(2, '0');
    return { resource: part.resource, code, width: this.#width(glyph) };
  }

  #roomy(): Part {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.glyphs.size < MAX_GLYPHS) return last;
    const resource = `${this.#resource}x${this.#parts.length + 1}`;
    const { context } = this.#document;
    const ref = context.nextRef();
    const texts = context.nextRef();
    const part: Part = { resource, ref, texts, glyphs: new Map(), written: 0 };
    this.#parts.push(part);
    return part;
  }

  #width(glyph: number | null): number {
    if (glyph === null) return 0;
    const { font, unitsPerEm } = this.#opened;
    return roundUnits((font.glyphHAdvance(glyph) / unitsPerEm) * UNITS_PER_EM);
  }

  canShow(glyph: number | null): boolean {
    return glyph === null || this.#opened.font.getGlyphColorPng(glyph) !== undefined;
  }

  get isWritten(): boolean {
    return this.#parts.every(({ glyphs, written }) => glyphs.size === written);
  }

  resources() {
    return this.#parts.map(({ resource, ref }) => [resource, ref] as const);
  }

  async write(): Promise<void> {
    for (const part of this.#parts)
      if (part.written < part.glyphs.size) await this.#writePart(part);
  }

  async #writePart(part: Part): Promise<void> {
    const { context } = this.#document;
    const glyphs = [...part.glyphs.values()];
    const drawings = context.obj({});
    const images = context.obj({});
    for (const { code, glyph } of glyphs) {
      const image = await this.#image(glyph);
      if (image !== null) images.set(PDFName.of(`I${code}`), image.ref);
      const drawing = this.#drawing(glyph, image === null ? null : { name: `I${code}`, ...image });
      drawings.set(PDFName.of(`g${code}`), context.register(context.flateStream(drawing)));
    }
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type3',
      FontBBox: [0, 0, 0, 0],
      FontMatrix: [1 / UNITS_PER_EM, 0, 0, 1 / UNITS_PER_EM, 0, 0],
      CharProcs: drawings,
      Encoding: { Type: 'Encoding', Differences: [1, ...glyphs.map(({ code }) => `g${code}`)] },
      FirstChar: 1,
      LastChar: glyphs.length,
      Widths: glyphs.map(({ glyph }) => this.#width(glyph)),
      Resources: { XObject: images },
      ToUnicode: part.texts,
    });
    context.assign(part.texts, context.flateStream(toUnicode(glyphs, 1)));
    context.assign(part.ref, font);
    part.written = glyphs.length;
  }

  /**
   * Returns the drawing of a picture, as wide as its space in the line, and centred in the line's
   * height.
   */
  #drawing(
    glyph: number | null,
    image: { readonly name: string; readonly shape: number } | null,
  ): string {
    const width = this.#width(glyph);
    if (image === null) return `${width} 0 d0`;
    const { font, unitsPerEm } = this.#opened;
    const { ascender, descender } = font.hExtents();
    const height = roundUnits(width * image.shape);
    const middle = ((ascender + descender) / 2 / unitsPerEm) * UNITS_PER_EM;
    const bottom = roundUnits(middle - height / 2);
    return `${width} 0 d0 q ${width} 0 0 ${height} 0 ${bottom} cm /${image.name} Do Q`;
  }

  async #image(glyph: number | null) {
    if (glyph === null) return null;
    const known = this.#images.get(glyph);
    if (known !== undefined) return known;
    const png = this.#opened.font.getGlyphColorPng(glyph);
    if (png === undefined) return null;
    const embedded = await this.#document.embedPng(png);
    await embedded.embed();
    const image = { ref: embedded.ref, shape: embedded.height / embedded.width };
    this.#images.set(glyph, image);
    return image;
  }
}
