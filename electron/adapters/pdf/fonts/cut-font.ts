/// <reference path="../subset-font.d.ts" />
import type * as Harfbuzz from 'harfbuzzjs';
import subsetFont from 'subset-font';

/** Tables of old screens, of other programs' layout, and of how a font varies: it is taken as it is by itself. */
const NOT_NEEDED = [
  ...['hdmx', 'VDMX', 'LTSH', 'FFTM', 'gasp', 'DSIG', 'meta', 'COLR', 'CPAL', 'SVG ', 'MATH'],
  ...['fvar', 'gvar', 'avar', 'cvar', 'HVAR', 'VVAR', 'MVAR', 'STAT', 'VORG', 'vhea', 'vmtx'],
];

/** A font that text is shaped with. */
export interface OpenFont {
  readonly font: Harfbuzz.Font;
  readonly unitsPerEm: number;
  readonly bytes: Buffer;
}

/** The font with these letters only, and the rules by which they are joined; letters it lacks are left out. */
export function cutFont(whole: Buffer, letters: readonly string[]): Promise<Buffer> {
  return subsetFont(whole, letters.join(''), {
    targetFormat: 'truetype',
    noHinting: true,
    dropTables: NOT_NEEDED,
  });
}

export async function openFont(bytes: Buffer): Promise<OpenFont> {
  // Most forms are filled without it.
  const { Blob, Face, Font } = await import('harfbuzzjs');
  // Only what the view shows is the font; the buffer beneath may be shared.
  const face = new Face(new Blob(new Uint8Array(bytes)));
  return { font: new Font(face), unitsPerEm: face.upem, bytes };
}
