import {
  PDFArray,
  PDFDict,
  type PDFField,
  PDFName,
  PDFNumber,
  type PDFWidgetAnnotation,
  StandardFontEmbedder,
} from 'pdf-lib';
import { dictIn, numberIn } from '../dict-values.ts';
import type { CharacterCells, Flow, TextMeasure } from './text-width.ts';

/**
 * A font that a form chose for its glyphs: a bar code, machine-readable characters, symbols.
 * Another font would change the meaning.
 */
export interface KeptFont {
  readonly dict: PDFDict;
  /**
   * Characters that the font can write; empty if its codes are not ASCII, if the form does not
   * embed it, or if another widget of the field has another font.
   */
  readonly alphabet: string;
  readonly measure: TextMeasure;
}

/** The font in a default appearance (PDF 1.7, 12.7.3.3). */
export const CHOSEN_FONT = /\/([^\0\t\n\f\r /]+)[\0\t\n\f\r ]+[\d.]+[\0\t\n\f\r ]+Tf/;

/** Names of fonts that are not text; makers of bar code fonts name them after the code. */
const NON_TEXT_FONT_NAME =
  /bar[ _-]?code|code[ _-]?(?:11|25|39|93|128)|c(?:39|128)|3[ _-]?of[ _-]?9|2[ _-]?of[ _-]?5|i2of5|\bitf\b|interleaved|codabar|\bean|\bupc|\bisbn|msi[ _-]?plessey|postnet|data[ _-]?matrix|pdf[ _-]?417|qr[ _-]?code|\bocr|micr|e-?13b|cmc-?7|dingbats|wingdings|webdings|^symbol(?:mt|ps|,|$)/i;
const SUBSET = /^[A-Z]{6}\+/;
const UNIT = 1000;
const FIRST_CODE = 0x20;
const LAST_CODE = 0x7e;
const DEFAULT_ASCENT = 750;
const DEFAULT_DESCENT = -250;

const key = (name: string) => PDFName.of(name);
const EMBEDDED_FONT_KEYS = ['FontFile', 'FontFile2', 'FontFile3'].map(key);
/** Glyph names of ASCII, from the space to the tilde, if they differ from the character. */
const ASCII_GLYPH_NAMES = [
  ...['space', 'exclam', 'quotedbl', 'numbersign', 'dollar', 'percent', 'ampersand'],
  ...['quotesingle', 'parenleft', 'parenright', 'asterisk', 'plus', 'comma', 'hyphen', 'period'],
  ...['slash', 'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  ...['colon', 'semicolon', 'less', 'equal', 'greater', 'question', 'at'],
];
const GLYPH_NAME_BY_CHARACTER: Readonly<Record<string, string>> = {
  '[': 'bracketleft',
  '\\': 'backslash',
  ']': 'bracketright',
  '^': 'asciicircum',
  _: 'underscore',
  '`': 'grave',
  '{': 'braceleft',
  '|': 'bar',
  '}': 'braceright',
  '~': 'asciitilde',
};

const fontByDict = new WeakMap<PDFDict, KeptFont | null>();

/** Returns the font that a field must keep; null if it uses only text fonts. */
export function keptFontOf(field: PDFField): KeptFont | null {
  const fonts = field.acroField.getWidgets().map((widget) => chosenFont(field, widget));
  const [kept = null, ...others] = new Set(fonts);
  if (others.length === 0) return kept;
  const found = fonts.find((font) => font !== null) ?? null;
  return found === null ? null : withoutLetters(found);
}

function chosenFont({ acroField, doc }: PDFField, widget: PDFWidgetAnnotation): KeptFont | null {
  const chosen = widget.getDefaultAppearance() ?? acroField.getDefaultAppearance() ?? '';
  const [, name] = CHOSEN_FONT.exec(chosen) ?? [];
  if (name === undefined) return null;
  const form = doc.catalog.lookup(key('AcroForm'));
  const picture = widget.AP()?.lookup(key('N'));
  const holders = [form instanceof PDFDict ? dictIn(form, 'DR') : null, resourcesOf(picture)];
  for (const holder of holders) {
    const font = (holder === null ? null : dictIn(holder, 'Font'))?.lookup(key(name));
    if (font instanceof PDFDict) return keptFont(font, name);
  }
  return null;
}

function keptFont(font: PDFDict, name: string): KeptFont | null {
  const found = fontByDict.get(font);
  if (found !== undefined) return found;
  const kept = NON_TEXT_FONT_NAME.test(baseFontName(font) ?? name) ? readFont(font) : null;
  fontByDict.set(font, kept);
  return kept;
}

const emptyFontByFont = new WeakMap<KeptFont, KeptFont>();

/**
 * Returns the font without characters. It is the same object each time, because pens are looked up
 * by their fonts.
 */
function withoutLetters(font: KeptFont): KeptFont {
  const empty = emptyFontByFont.get(font) ?? {
    dict: font.dict,
    alphabet: '',
    measure: measureOf(new Map(), heightsOf(font.dict)),
  };
  emptyFontByFont.set(font, empty);
  return empty;
}

function baseFontName(font: PDFDict): string | null {
  const base = font.lookup(key('BaseFont'));
  return base instanceof PDFName ? base.decodeText().replace(SUBSET, '') : null;
}

function isFontEmbedded(font: PDFDict): boolean {
  const kind = font.lookup(key('Subtype'));
  if (kind === key('Type0') || kind === key('Type3')) return true;
  const descriptor = dictIn(font, 'FontDescriptor');
  return EMBEDDED_FONT_KEYS.some((file) => descriptor?.has(file) ?? false);
}

/**
 * Returns the widths of the two symbol fonts that every viewer has (PDF 1.7, 9.6.2.2); null for
 * other fonts.
 */
function viewersWidths(font: PDFDict): ((code: number) => number) | null {
  const name = baseFontName(font);
  if (name !== 'ZapfDingbats' && name !== 'Symbol') return null;
  // The library does not export its list of these names.
  const made: unknown = Reflect.apply(StandardFontEmbedder.for, StandardFontEmbedder, [name]);
  if (!(made instanceof StandardFontEmbedder)) return null;
  const { encoding, font: held } = made;
  const widths = new Map(
    encoding.supportedCodePoints.map((point) => {
      const glyph = encoding.encodeUnicodeCodePoint(point);
      return [glyph.code, held.getWidthOfGlyph(glyph.name) ?? 0];
    }),
  );
  return (code) => widths.get(code) ?? 0;
}

function readFont(dict: PDFDict): KeptFont {
  const widths = isFontEmbedded(dict) ? widthsOf(dict) : (viewersWidths(dict) ?? (() => 0));
  const names = encodingDifferences(dict);
  const letters = new Map<string, number>();
  for (let code = FIRST_CODE; code <= LAST_CODE; code += 1) {
    const letter = String.fromCharCode(code);
    const width = widths(code);
    const named = names.get(code);
    if (width > 0 && (named === undefined || named === glyphName(letter))) {
      letters.set(letter, width);
    }
  }
  const alphabet = [...letters.keys()].join('');
  return { dict, alphabet, measure: measureOf(letters, heightsOf(dict)) };
}

const glyphName = (letter: string): string =>
  ASCII_GLYPH_NAMES[(letter.codePointAt(0) ?? 0) - FIRST_CODE] ??
  GLYPH_NAME_BY_CHARACTER[letter] ??
  letter;

/** Returns the widths by code, in thousandths of the font size; 0 if the font lacks the code. */
function widthsOf(font: PDFDict): (code: number) => number {
  const list = font.lookup(key('Widths'));
  const first = numberIn(font, 'FirstChar') ?? 0;
  // A font with two-byte codes has no such list.
  if (!(list instanceof PDFArray)) return () => 0;
  const matrix = font.lookup(key('FontMatrix'));
  const scale = matrix instanceof PDFArray ? matrix.lookup(0) : undefined;
  const unit = scale instanceof PDFNumber ? scale.asNumber() * UNIT : 1;
  return (code) => {
    const width = code < first ? undefined : list.lookup(code - first);
    return width instanceof PDFNumber ? width.asNumber() * unit : 0;
  };
}

/** Returns the glyph names in the font's own encoding (PDF 1.7, 9.6.6). */
function encodingDifferences(font: PDFDict): ReadonlyMap<number, string> {
  const list = dictIn(font, 'Encoding')?.lookup(key('Differences'));
  const names = new Map<number, string>();
  let code = 0;
  for (const entry of list instanceof PDFArray ? list.asArray() : []) {
    if (entry instanceof PDFNumber) code = entry.asNumber();
    if (!(entry instanceof PDFName)) continue;
    names.set(code, entry.decodeText());
    code += 1;
  }
  return names;
}

interface Heights {
  readonly ascent: number;
  readonly descent: number;
}

function heightsOf(font: PDFDict): Heights {
  const descriptor = dictIn(font, 'FontDescriptor');
  const ascent = (descriptor === null ? null : numberIn(descriptor, 'Ascent')) ?? 0;
  const descent = (descriptor === null ? null : numberIn(descriptor, 'Descent')) ?? 0;
  return ascent > 0
    ? { ascent, descent: Math.min(0, descent) }
    : { ascent: DEFAULT_ASCENT, descent: DEFAULT_DESCENT };
}

function measureOf(
  letters: ReadonlyMap<string, number>,
  { ascent, descent }: Heights,
): TextMeasure {
  const flow = (text: string): Flow => {
    const width = (from: number, to: number): number =>
      [...text.slice(from, to)].reduce((sum, letter) => sum + (letters.get(letter) ?? 0), 0);
    const ends = [...text.matchAll(/ +|$/g)].map(({ index, 0: blanks }) => index + blanks.length);
    return {
      isRtl: false,
      width,
      pieces: () => ends.map((end, at) => width(ends[at - 1] ?? 0, end)),
      breakBefore: (from, to) => ends.findLast((end) => end > from && end <= to) ?? from,
      draw: (from, to) => `(${text.slice(from, to).replaceAll(/[()\\]/g, '\\$&')}) Tj`,
    };
  };
  return {
    flow,
    cells: (text, most): CharacterCells => ({
      isRtl: false,
      letters: [...text].slice(0, most).map(flow),
    }),
    height: (size, withDescender) => ((ascent - (withDescender ? descent : 0)) / UNIT) * size,
    missing: (text) => [...text].find((letter) => letter !== '\n' && !letters.has(letter)),
  };
}

function resourcesOf(picture: unknown): PDFDict | null {
  const isStream = typeof picture === 'object' && picture !== null && 'dict' in picture;
  return isStream && picture.dict instanceof PDFDict ? dictIn(picture.dict, 'Resources') : null;
}
