import { type PDFField, StandardFonts } from 'pdf-lib';
import type { FontFace } from '../../../../shared/model/placed-field.ts';
import { CHOSEN_FONT, type KeptFont, keptFontOf } from './kept-font.ts';

export const STANDARD_FACES = {
  sans: StandardFonts.Helvetica,
  serif: StandardFonts.TimesRoman,
  mono: StandardFonts.Courier,
} as const satisfies Record<FontFace, StandardFonts>;

/** Font of a field: one of the program's, or the form's own if it cannot be replaced. */
export type Face = FontFace | KeptFont;

/**
 * Returns the font of a field: the form's own if it cannot be replaced, or the one chosen in this
 * program. The name of the chosen font is stored in the field, so it survives a rewrite by another
 * program. Names from other programs do not define an appearance, unless they name fonts for
 * something other than text.
 */
export function faceOf(field: PDFField): Face {
  const kept = keptFontOf(field);
  if (kept !== null) return kept;
  const [, name] = CHOSEN_FONT.exec(field.acroField.getDefaultAppearance() ?? '') ?? [];
  if (name === STANDARD_FACES.serif) return 'serif';
  return name === STANDARD_FACES.mono ? 'mono' : 'sans';
}
