import { PDFFont } from 'pdf-lib';

/** Breaks a text into drawable letters: what the layout takes out or turns into space needs no glyph. */
const NOT_DRAWN = /[\n\f\r\u000B\t\u0085\u2028\u2029\b]/g;
const UNIT = 1000;

/** A font as far as laying out text needs it. Widths are in thousandths of the size. */
export interface TextMeasure {
  readonly font: PDFFont;
  /** The text as an operand of `Tj`, one character per byte: in hexadecimal it would take twice as many. */
  show(text: string): string;
  /** With kerning between neighbours where the font has any, as pdf-lib counts it. */
  width(text: string): number;
  height(size: number, withDescender: boolean): number;
  /** The first letter the font cannot draw, or undefined. */
  missing(text: string): string | undefined;
}

interface Glyph {
  readonly shown: string;
  readonly width: number;
}

/** Helvetica in WinAnsi: one byte per letter. */
export function createNarrowMeasure(font: PDFFont): TextMeasure {
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
  return {
    font,
    ...heights(font),
    show: glyphs.show,
    missing: glyphs.missing,
    width(text) {
      let width = 0;
      let last = '';
      for (const letter of text) {
        if (last !== '') width += kern(last, letter);
        width += glyphs.of(letter).width;
        last = letter;
      }
      return width;
    },
  };
}

/** An embedded font: two bytes per letter, letter by letter, so that the text can be read back. */
export function createWideMeasure(font: PDFFont): TextMeasure {
  const glyphs = createGlyphs(font);
  return {
    font,
    ...heights(font),
    show: glyphs.show,
    missing: glyphs.missing,
    width(text) {
      let width = 0;
      for (const letter of text) width += glyphs.of(letter).width;
      return width;
    },
  };
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
    show(text: string): string {
      let shown = '(';
      for (const letter of text) shown += of(letter).shown;
      return `${shown})`;
    },
    missing(text: string): string | undefined {
      for (const letter of text.replaceAll(NOT_DRAWN, '')) {
        if (!glyphs.has(letter) && !known.has(letter.codePointAt(0) ?? 0)) return letter;
      }
      return undefined;
    },
  };
}

/** Both heights grow with the size, and asking the font anew each time is slow. */
function heights(font: PDFFont): Pick<TextMeasure, 'height'> {
  const whole = font.heightAtSize(UNIT);
  const above = font.heightAtSize(UNIT, { descender: false });
  return { height: (size, withDescender) => ((withDescender ? whole : above) / UNIT) * size };
}

/** A byte of a literal string, where a bare end of a line may be read as another (PDF 1.7, 7.3.4.2). */
function escaped(byte: number): string {
  const letter = String.fromCharCode(byte);
  if (letter === '\r') return '\\r';
  return letter === '(' || letter === ')' || letter === '\\' ? `\\${letter}` : letter;
}
