import { PDFFont } from 'pdf-lib';

/** Characters that need no glyph: the layout removes them or replaces them with space. */
export const UNDRAWN_CHARACTERS = /[\n\f\r\u000B\t\u0085\u2028\u2029\b]/g;
const UNIT = 1000;

/** Measures fonts for laying out text. Widths are in thousandths of the font size. */
export interface TextMeasure {
  /** Returns the flow of a text between two line ends. */
  flow(paragraph: string): Flow;
  /** Returns the first characters of a text, for cells with one character each. */
  cells(text: string, most: number): CharacterCells;
  height(size: number, withDescender: boolean): number;
  /** Returns the first character that cannot be drawn, or undefined. */
  missing(text: string): string | undefined;
}

/** A paragraph from which lines are cut; positions are those of its characters. */
export interface Flow {
  readonly isRtl: boolean;
  width(from: number, to: number): number;
  /** Returns the widths of the parts for lines, each with the space after it. */
  pieces(): readonly number[];
  /** Returns the last valid line break between these two positions; `from` if there is none. */
  breakBefore(from: number, to: number): number;
  /** Returns the operators that draw a part, with the pen at its start. */
  draw(from: number, to: number, size: number): string;
}

/** Characters in display order. */
export interface CharacterCells {
  readonly isRtl: boolean;
  readonly letters: readonly Flow[];
}

/** One font, drawing characters one by one. */
export interface FontMeasure extends TextMeasure {
  readonly font: PDFFont;
}

interface Glyph {
  readonly shown: string;
  readonly width: number;
}

/** Measures Helvetica in WinAnsi: one byte per character. */
export function createNarrowMeasure(font: PDFFont): FontMeasure {
  const glyphs = createGlyphs(font);
  const kerning = new Map<string, number>();
  const kern = (left: string, right: string): number => {
    const pair = left + right;
    const known = kerning.get(pair);
    if (known !== undefined) return known;
    const alone = glyphs.of(left).width + glyphs.of(right).width;
    const between = font.widthOfTextAtSize(pair, UNIT) - alone;
    kerning.set(pair, between);
    return between;
  };
  // The width includes kerning between neighbours, as in pdf-lib.
  const width = (text: string): number => {
    let sum = 0;
    let last = '';
    for (const letter of text) {
      if (last !== '') sum += kern(last, letter);
      sum += glyphs.of(letter).width;
      last = letter;
    }
    return sum;
  };
  return measureOf(font, glyphs, width);
}

/**
 * Measures an embedded font: two bytes per character, one by one, so that the text can be
 * extracted.
 */
export function createWideMeasure(font: PDFFont): FontMeasure {
  const glyphs = createGlyphs(font);
  const width = (text: string): number => {
    let sum = 0;
    for (const letter of text) sum += glyphs.of(letter).width;
    return sum;
  };
  return measureOf(font, glyphs, width);
}

type GlyphWidths = ReturnType<typeof createGlyphs>;

function measureOf(
  font: PDFFont,
  { show, missing }: GlyphWidths,
  width: (text: string) => number,
): FontMeasure {
  const flow = (text: string): Flow => ({
    isRtl: false,
    width: (from, to) => width(text.slice(from, to)),
    pieces() {
      const words = text.split(' ');
      return words.map((word, at) => width(at === words.length - 1 ? word : `${word} `));
    },
    breakBefore: (from, to) => lastSpace(text, from, to),
    draw: (from, to) => `${show(text.slice(from, to))} Tj`,
  });
  return {
    font,
    flow,
    missing,
    height: heightOf(font),
    cells: (text, most) => ({ isRtl: false, letters: [...text].slice(0, most).map(flow) }),
  };
}

function lastSpace(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return from;
}

function createGlyphs(font: PDFFont) {
  const known = new Set(font.getCharacterSet());
  const glyphs = new Map<string, Glyph>();
  const of = (letter: string): Glyph => {
    const found = glyphs.get(letter);
    if (found !== undefined) return found;
    const shown = [...font.encodeText(letter).asBytes()].map(escaped).join('');
    const glyph = { shown, width: font.widthOfTextAtSize(letter, UNIT) };
    glyphs.set(letter, glyph);
    return glyph;
  };
  return {
    of,
    /** Returns an operand of `Tj`, one character per byte: hexadecimal would double its length. */
    show(text: string): string {
      let shown = '(';
      for (const letter of text) shown += of(letter).shown;
      return `${shown})`;
    },
    missing(text: string): string | undefined {
      for (const letter of text.replaceAll(UNDRAWN_CHARACTERS, '')) {
        if (!glyphs.has(letter) && !known.has(letter.codePointAt(0) ?? 0)) return letter;
      }
      return undefined;
    },
  };
}

/**
 * Returns the function for the height of a line. The heights with and without the descender are
 * proportional to the size, and reading them from the font each time is slow.
 */
function heightOf(font: PDFFont): TextMeasure['height'] {
  const whole = font.heightAtSize(UNIT);
  const above = font.heightAtSize(UNIT, { descender: false });
  return (size, withDescender) => ((withDescender ? whole : above) / UNIT) * size;
}

/**
 * Escapes a byte of a literal string, where a bare line end may be read as another (PDF 1.7,
 * 7.3.4.2).
 */
function escaped(byte: number): string {
  const letter = String.fromCharCode(byte);
  if (letter === '\r') return '\\r';
  return letter === '(' || letter === ')' || letter === '\\' ? `\\${letter}` : letter;
}
