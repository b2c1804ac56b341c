import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createFontSubset, openFont, type OpenFont } from './cut-font.ts';
import { type Coverage, coverageOf, type Face, facesOf, readWholeFace } from './font-file.ts';
import { isShapeChangingScript, isEmoji, isUnseen, scriptOf } from './scripts.ts';
import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

export interface FontRegistry {
  /** Lists the font files, and reads new ones. */
  look(): void;
  /**
   * Returns the best font with all code points of one character and its marks, among fonts whose
   * licence allows embedding; null if there is none.
   */
  fontFor(cluster: string, wish: HanVariant): Face | null;
  /** Whether a font has glyphs for the whole cluster. */
  has(face: Face, cluster: string): boolean;
  /**
   * Returns the font, cut to these characters; null if it cannot be opened, and then it is not
   * offered again. A picture font is opened whole, because cutting would remove its pictures.
   */
  open(face: Face, letters: Iterable<string>): Promise<OpenFont | null>;
}

/**
 * Han characters look different in each of these variants; the neighbouring characters decide which
 * is meant.
 */
export type HanVariant = 'SC' | 'JP' | 'KR';

const FONT_FILE = /\.(?:ttf|ttc|otf|otc)$/i;
/** Maximum number of font files; a publisher's complete collections have a tenth of it. */
const MAX_FILES = 20_000;
/**
 * Maximum number of fonts kept open: a cut font takes a few kilobytes, a whole picture font ten
 * megabytes.
 */
const MAX_OPEN_FONTS = 16;

const HAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
/** Names of font families for each variant, in Noto and in the systems. */
const FAMILY_BY_VARIANT: Readonly<Record<HanVariant, RegExp>> = {
  SC: /\bSC\b|YaHei|SimSun|SimHei|DengXian|Heiti SC|Songti SC|WenQuanYi|\bGB\b/,
  JP: /\bJP\b|Yu Gothic|Meiryo|MS P?Gothic|Hiragino|IPA|Takao|VL Gothic/,
  KR: /\bKR\b|Malgun|Gulim|Batang|Apple SD Gothic|Nanum|UnDotum/,
};

/**
 * Creates a registry that reads nothing until a text has a character that the program's own font
 * lacks.
 */
export function createFontRegistry(folders: readonly string[]): FontRegistry {
  const files = new Map<string, readonly Face[]>();
  const coverages = new Map<Face, Coverage>();
  const useless = new Set<Face>();
  let ordered: readonly Face[] = [];
  /** Fonts opened last: a draft is merged repeatedly while a user views it. */
  const opened: { readonly face: Face; readonly key: string; readonly font: OpenFont }[] = [];

  const has = (face: Face, cluster: string): boolean => {
    const known = coverages.get(face) ?? coverageOf(face);
    coverages.set(face, known);
    const isIn = (form: string) =>
      visibleCharactersOf(form).every((letter) => known.has(letter.codePointAt(0) ?? 0));
    return isIn(cluster) || isIn(cluster.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFD'));
  };

  return {
    look() {
      const there = new Set(folders.flatMap((folder) => fontFilesIn(folder)).slice(0, MAX_FILES));
      for (const file of files.keys()) if (!there.has(file)) files.delete(file);
      for (const file of there) if (!files.has(file)) files.set(file, facesOf(file));
      const faces = [...files.values()]
        .flat()
        .filter((face) => face.mayBeEmbedded && !useless.has(face));
      ordered = faces.toSorted((one, other) => styleDistance(one) - styleDistance(other));
    },
    fontFor(cluster, wish) {
      return orderedChoices(ordered, cluster, wish).find((face) => has(face, cluster)) ?? null;
    },
    has,
    async open(face, letters) {
      const wanted = face.outlines === null ? [] : [...new Set(letters)].toSorted();
      const known = opened.find((one) => one.face === face && one.key === wanted.join(''));
      if (known !== undefined) return known.font;
      const font = await openFontFor(face, wanted);
      if (font === null) {
        useless.add(face);
        ordered = ordered.filter((one) => one !== face);
        return null;
      }
      opened.unshift({ face, key: wanted.join(''), font });
      opened.splice(MAX_OPEN_FONTS);
      return font;
    },
  };
}

/**
 * Opens a font, cut to these characters; null if its file is gone, or differs from the tables read
 * earlier.
 */
async function openFontFor(face: Face, letters: readonly string[]): Promise<OpenFont | null> {
  try {
    const whole = readWholeFace(face);
    if (whole === null) return null;
    return await openFont(face.outlines === null ? whole : await createFontSubset(whole, letters));
  } catch {
    return null;
  }
}

/** Returns the characters of a text that need a glyph. */
export function visibleCharactersOf(text: string): string[] {
  return [...text].filter((letter) => !isUnseen(letter));
}

/** Returns the fonts that can draw a cluster, the best first. */
function orderedChoices(
  ordered: readonly Face[],
  cluster: string,
  wish: HanVariant,
): readonly Face[] {
  const needsRules = isShapeChangingScript(scriptOf(cluster));
  const outlined = ordered.filter(
    (face) => face.outlines !== null && (face.hasRules || !needsRules),
  );
  const painted = ordered.filter((face) => face.outlines === null && face.hasPictures);
  if (isEmoji(cluster)) return [...painted, ...outlined];
  // A family named after a script was made for it.
  const script = scriptOf(cluster);
  const name = HAN.test(cluster)
    ? FAMILY_BY_VARIANT[wish]
    : script === null
      ? null
      : new RegExp(script);
  const isMeant = ({ family }: Face) => name?.test(family) === true;
  const meant = outlined.filter(isMeant);
  return [...meant, ...outlined.filter((face) => !isMeant(face)), ...painted];
}

const REGULAR = 400;
const NORMAL_WIDTH = 5;

/**
 * Returns how much the style of a font differs from that of the program's own font. If two fonts
 * differ equally, the order of their files decides.
 */
function styleDistance({ style, family }: Face): number {
  const { weight, width, isItalic, isSerif, isMonospaced } = style;
  return (
    Math.abs(weight - REGULAR) / 100 +
    Math.abs(width - NORMAL_WIDTH) +
    (isItalic ? 8 : 0) +
    (isSerif || /\bSerif\b/.test(family) ? 3 : 0) +
    (isMonospaced || /\bMono\b/.test(family) ? 4 : 0) +
    (/\bSans\b/.test(family) ? 0 : 1)
  );
}

function fontFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => FONT_FILE.test(entry.name) && !entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted();
  } catch {
    return [];
  }
}
