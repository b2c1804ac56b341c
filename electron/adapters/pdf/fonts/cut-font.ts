/// <reference path="../subset-font.d.ts" />
import type * as Harfbuzz from 'harfbuzzjs';
import subsetFont from 'subset-font';

/**
 * Tables of old screens, of other programs' layout, and of font variations: only the default
 * instance is used.
 */
const DROPPED_TABLES = [
  ...['hdmx', 'VDMX', 'LTSH', 'FFTM', 'gasp', 'DSIG', 'meta', 'COLR', 'CPAL', 'SVG ', 'MATH'],
  ...['fvar', 'gvar', 'avar', 'cvar', 'HVAR', 'VVAR', 'MVAR', 'STAT', 'VORG', 'vhea', 'vmtx'],
];

/** A font for shaping text. */
export interface OpenFont {
  readonly font: Harfbuzz.Font;
  readonly unitsPerEm: number;
  readonly bytes: Buffer;
}

/**
 * Returns the font with only these characters and its joining rules; characters it lacks are
 * skipped.
 */
export function createFontSubset(whole: Buffer, letters: readonly string[]): Promise<Buffer> {
  return subsetFont(whole, letters.join(''), {
    targetFormat: 'truetype',
    noHinting: true,
    dropTables: DROPPED_TABLES,
  });
}

export async function openFont(bytes: Buffer): Promise<OpenFont> {
  // Imported only when needed: most forms are filled without this package.
  const { Blob, Face, Font } = await import('harfbuzzjs');
  // The font gets a copy of the bytes of the view only, because the buffer of the view may be
  // shared.
  const face = new Face(new Blob(new Uint8Array(bytes)));
  return { font: new Font(face), unitsPerEm: face.upem, bytes };
}
