/// <reference path="../subset-font.d.ts" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument } from 'pdf-lib';
import subsetFont from 'subset-font';
import { type Coverage, coverageOf, type Face, facesOf } from '../fonts/font-file.ts';
import { createWideMeasure, type FontMeasure } from './text-width.ts';

/** Latin, Greek and Cyrillic letters, under the SIL Open Font License; comes with pdf.js. */
const WIDE_FONT = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';
/** Always cut in, so that texts that share a row with unusual letters seldom need another cut. */
const COMMON =
  ' !"#$%&\'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Letters are placed one by one, so that nothing of this is looked up. */
const NOT_NEEDED = ['GDEF', 'GPOS', 'GSUB', 'kern', 'hdmx', 'VDMX', 'LTSH', 'FFTM', 'gasp'];

let whole: Promise<Buffer> | undefined;
let own: OwnFace | undefined;

export interface OwnFace {
  readonly face: Face;
  readonly letters: Coverage;
}

/** The font that comes with the program, as its file describes it. */
export function ownFace(): OwnFace {
  if (own !== undefined) return own;
  const [face] = facesOf(wideFontFile());
  if (face === undefined) throw new Error('The font of the program cannot be read');
  own = { face, letters: coverageOf(face) };
  return own;
}

function wideFontFile(): string {
  return createRequire(import.meta.url).resolve(WIDE_FONT);
}

function wideFontBytes(): Promise<Buffer> {
  whole ??= readFile(wideFontFile());
  return whole;
}

/** Embeds a font with these letters, and those it lacks left out. Everyday letters are in it too. */
export async function embedWide(
  document: PDFDocument,
  letters: Iterable<string>,
): Promise<FontMeasure> {
  const text = [...new Set([...COMMON, ...letters])].toSorted().join('');
  const cut = await subsetFont(await wideFontBytes(), text, {
    targetFormat: 'truetype',
    // Hints are for screens of long ago, and a third of the font.
    noHinting: true,
    dropTables: NOT_NEEDED,
  });
  document.registerFontkit(fontkit);
  const font = await document.embedFont(cut);
  await font.embed();
  return createWideMeasure(font);
}
