/// <reference path="../subset-font.d.ts" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument } from 'pdf-lib';
import subsetFont from 'subset-font';
import { type Coverage, coverageOf, type Face, facesOf } from '../fonts/font-file.ts';
import { createWideMeasure, type FontMeasure } from './text-width.ts';

/** Latin, Greek and Cyrillic characters, under the SIL Open Font License; included in pdf.js. */
const WIDE_FONT = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';
/**
 * Characters that are always included, so that texts in a row with unusual characters rarely need
 * another subset.
 */
const COMMON_CHARACTERS =
  ' !"#$%&\'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Tables that are not used, because characters are placed one by one. */
const DROPPED_WIDE_FONT_TABLES = [
  'GDEF',
  'GPOS',
  'GSUB',
  'kern',
  'hdmx',
  'VDMX',
  'LTSH',
  'FFTM',
  'gasp',
];

let wideFontPromise: Promise<Buffer> | undefined;
let loadedOwnFace: OwnFace | undefined;

export interface OwnFace {
  readonly face: Face;
  readonly letters: Coverage;
}

/** Returns the program's own font, with the tables of its file. */
export function ownFace(): OwnFace {
  if (loadedOwnFace !== undefined) return loadedOwnFace;
  const [face] = facesOf(wideFontFile());
  if (face === undefined) throw new Error('The font of the program cannot be read');
  loadedOwnFace = { face, letters: coverageOf(face) };
  return loadedOwnFace;
}

function wideFontFile(): string {
  return createRequire(import.meta.url).resolve(WIDE_FONT);
}

function wideFontBytes(): Promise<Buffer> {
  wideFontPromise ??= readFile(wideFontFile());
  return wideFontPromise;
}

/**
 * Embeds a font with these characters, without those it lacks. Common characters are always
 * included.
 */
export async function embedWide(
  document: PDFDocument,
  letters: Iterable<string>,
): Promise<FontMeasure> {
  const text = [...new Set([...COMMON_CHARACTERS, ...letters])].toSorted().join('');
  const cut = await subsetFont(await wideFontBytes(), text, {
    targetFormat: 'truetype',
    // Hinting is for old screens, and a third of the font.
    noHinting: true,
    dropTables: DROPPED_WIDE_FONT_TABLES,
  });
  document.registerFontkit(fontkit);
  const font = await document.embedFont(cut);
  await font.embed();
  return createWideMeasure(font);
}
