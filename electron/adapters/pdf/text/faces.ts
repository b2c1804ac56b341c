import { type PDFField, StandardFonts } from 'pdf-lib';
import type { FontFace } from '../../../../shared/model/placed-field.ts';
import { CHOSEN, type KeptFont, keptFontOf } from './kept-font.ts';

export const FACES = {
  sans: StandardFonts.Helvetica,
  serif: StandardFonts.TimesRoman,
  mono: StandardFonts.Courier,
} as const satisfies Record<FontFace, StandardFonts>;

/** What a field is written in: one of our fonts, or the form's own where no other will do. */
export type Face = FontFace | KeptFont;

/**
 * The font a field was drawn in here. Its name stands in the field, so that it stays when another
 * program writes the file anew; names that other programs give are no promise of what they look like,
 * unless they are those of fonts for something else than text.
 */
export function faceOf(field: PDFField): Face {
  const kept = keptFontOf(field);
  if (kept !== null) return kept;
  const [, name] = CHOSEN.exec(field.acroField.getDefaultAppearance() ?? '') ?? [];
  if (name === FACES.serif) return 'serif';
  return name === FACES.mono ? 'mono' : 'sans';
}
