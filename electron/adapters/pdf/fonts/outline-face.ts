import { createHash } from 'node:crypto';
import { type PDFContext, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { glyphNumbers } from './cff-glyphs.ts';
import { GLYPH_MAP, toGlyphs, toUnicode } from './code-maps.ts';
import type { OpenFont } from './cut-font.ts';
import { buildFontFile, tablesIn } from './font-file.ts';
import { type PdfFace, roundUnits, type ShownGlyph, UNITS_PER_EM } from './pdf-face.ts';

/** Tables of an embedded TrueType font that a PDF uses (PDF 1.7, 9.9). */
const EMBEDDED_TABLES = ['glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp', 'cvt ', 'fpgm', 'prep'];
/** Flag of a font whose characters are not in a standard set that viewers know. */
const SYMBOLIC_FLAG = 4;
/** Usual stroke thickness of an office font; it does not affect drawing. */
const STEM_WIDTH = 80;
const TAG_LENGTH = 6;
const SPACE = 0x20;

interface GlyphCode {
  readonly code: number;
  readonly glyph: number;
  readonly text: string;
  readonly width: number;
}

/**
 * A cut outline font in a PDF. A glyph that represents several texts, such as a mirrored bracket,
 * has a code for each.
 */
export class OutlineFace implements PdfFace {
  readonly #opened: OpenFont;
  readonly #context: PDFContext;
  readonly #resource: string;
  readonly #ref: PDFRef;
  /** References of the font's parts, which stay the same when the parts are written again. */
  readonly #parts: Readonly<Record<'child' | 'glyphs' | 'texts', PDFRef>>;
  readonly #codes = new Map<string, GlyphCode>();
  readonly #tables: ReadonlyMap<string, Buffer>;
  /** Glyph numbers in the PDF for a CFF font; null for other fonts. */
  readonly #numberOf: ((glyph: number) => number) | null;
  readonly #baseFont: string;
  #descriptor: PDFRef | null = null;
  #written = 0;

  constructor(context: PDFContext, opened: OpenFont, resource: string) {
    this.#context = context;
    this.#opened = opened;
    this.#resource = resource;
    this.#ref = context.nextRef();
    this.#parts = {
      child: context.nextRef(),
      glyphs: context.nextRef(),
      texts: context.nextRef(),
    };
    this.#tables = tablesIn(opened.bytes);
    this.#numberOf = glyphNumbering(this.#tables);
    this.#baseFont = `${tagOf(opened.bytes)}+${resource}`;
  }

  show(glyph: number | null, text: string): ShownGlyph {
    const key = `${glyph} ${text}`;
    const known = this.#codes.get(key) ?? this.#newCode(glyph, text);
    this.#codes.set(key, known);
    const { code, width } = known;
    return { resource: this.#resource, code: code.toString(16).padStart(4, '0'), width };
  }

  #newCode(glyph: number | null, text: string): GlyphCode {
    const { font, unitsPerEm } = this.#opened;
    const code = this.#codes.size + 1;
    const drawn = glyph ?? font.nominalGlyph(SPACE) ?? 0;
    // A code without a glyph has no width, except in a CFF font. There the width belongs to the
    // glyph, which is a space, so the caller moves the pen back.
    const isWide = glyph !== null || this.#numberOf !== null;
    const width = isWide ? roundUnits((font.glyphHAdvance(drawn) / unitsPerEm) * UNITS_PER_EM) : 0;
    return { code, glyph: drawn, text, width };
  }

  canShow(glyph: number | null): boolean {
    return glyph !== 0;
  }

  get isWritten(): boolean {
    return this.#written === this.#codes.size;
  }

  resources() {
    return this.#written === 0 ? [] : [[this.#resource, this.#ref] as const];
  }

  async write(): Promise<void> {
    if (this.isWritten) return;
    const context = this.#context;
    const codes = [...this.#codes.values()];
    const numbers = this.#numberOf;
    const widths = new Map(
      codes.map(({ code, glyph, width }) => [numbers?.(glyph) ?? code, width] as const),
    );
    const child = context.obj({
      Type: 'Font',
      Subtype: numbers === null ? 'CIDFontType2' : 'CIDFontType0',
      BaseFont: this.#baseFont,
      CIDSystemInfo: identityOrdering(),
      FontDescriptor: (this.#descriptor ??= this.#describe()),
      DW: UNITS_PER_EM,
      W: [...widths]
        .toSorted(([one], [other]) => one - other)
        .flatMap(([at, wide]) => [at, [wide]]),
    });
    const { glyphs, texts } = this.#parts;
    if (numbers === null) child.set(PDFName.of('CIDToGIDMap'), glyphs);
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: this.#baseFont,
      Encoding: numbers === null ? 'Identity-H' : glyphs,
      DescendantFonts: [this.#parts.child],
      ToUnicode: texts,
    });
    context.assign(this.#parts.child, child);
    context.assign(
      glyphs,
      numbers === null
        ? context.flateStream(glyphMap(codes))
        : context.flateStream(toGlyphs(codes.map(({ code, glyph }) => [code, numbers(glyph)])), {
            Type: 'CMap',
            CMapName: GLYPH_MAP,
            CIDSystemInfo: identityOrdering(),
          }),
    );
    context.assign(texts, context.flateStream(toUnicode(codes, 2)));
    context.assign(this.#ref, font);
    this.#written = codes.length;
  }

  #describe(): PDFRef {
    const context = this.#context;
    const { font, unitsPerEm } = this.#opened;
    const { ascender, descender } = font.hExtents();
    const scaled = (value: number) => roundUnits((value / unitsPerEm) * UNITS_PER_EM);
    const head = this.#tables.get('head') ?? Buffer.alloc(54);
    const box = [36, 38, 40, 42].map((at) => scaled(head.readInt16BE(at)));
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: this.#baseFont,
      Flags: SYMBOLIC_FLAG,
      FontBBox: box,
      ItalicAngle: 0,
      Ascent: scaled(ascender),
      Descent: scaled(descender),
      CapHeight: scaled(ascender),
      StemV: STEM_WIDTH,
    });
    const cff = this.#tables.get('CFF ');
    if (cff === undefined) {
      const kept = [...this.#tables].filter(([tag]) => EMBEDDED_TABLES.includes(tag));
      const file = buildFontFile(new Map(kept));
      descriptor.set(PDFName.of('FontFile2'), this.#file(file, { Length1: file.length }));
    } else {
      descriptor.set(PDFName.of('FontFile3'), this.#file(cff, { Subtype: 'CIDFontType0C' }));
    }
    return context.register(descriptor);
  }

  #file(bytes: Buffer, entries: Readonly<Record<string, string | number>>): PDFRef {
    return this.#context.register(this.#context.flateStream(bytes, entries));
  }
}

function glyphNumbering(tables: ReadonlyMap<string, Buffer>): ((glyph: number) => number) | null {
  const cff = tables.get('CFF ');
  if (cff === undefined) return null;
  const glyphs = tables.get('maxp')?.readUInt16BE(4) ?? 0;
  const listed = glyphNumbers(cff, glyphs);
  return (glyph) => (listed === null ? glyph : (listed[glyph] ?? 0));
}

function glyphMap(codes: readonly GlyphCode[]): Buffer {
  const map = Buffer.alloc((codes.length + 1) * 2);
  for (const { code, glyph } of codes) map.writeUInt16BE(glyph, code * 2);
  return map;
}

function identityOrdering() {
  return {
    Registry: PDFString.of('Adobe'),
    Ordering: PDFString.of('Identity'),
    Supplement: 0,
  };
}

/** Six letters that distinguish two subsets of a font (PDF 1.7, 9.6.4). */
function tagOf(bytes: Buffer): string {
  const digest = createHash('sha256').update(bytes).digest();
  return Array.from({ length: TAG_LENGTH }, (_, at) =>
    String.fromCharCode(65 + (digest.readUInt8(at) % 26)),
  ).join('');
}
