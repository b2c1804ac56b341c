import { type PDFField, StandardFonts } from 'pdf-lib';
import type { FontFace } from '../../../../shared/model/placed-field.ts';

export const FACES = {
  sans: StandardFonts.Helvetica,
  serif: StandardFonts.TimesRoman,
  mono: StandardFonts.Courier,
} as const satisfies Record<FontFace, StandardFonts>;

/** The font that a default appearance chooses (PDF 1.7, 12.7.3.3). */
const CHOSEN = /\/([^\0\t\n\f\r /]+)[\0\t\n\f\r ]+[\d.]+[\0\t\n\f\r ]+Tf/;

/**
 * The font a field was drawn in here. Its name stands in the field, so that it stays when another
 * program writes the file anew; names that other programs give are no promise of what they look like.
 */
export function faceOf({ acroField }: PDFField): FontFace {
  const [, name] = CHOSEN.exec(acroField.getDefaultAppearance() ?? '') ?? [];
  if (name === FACES.serif) return 'serif';
  return name === FACES.mono ? 'mono' : 'sans';
}
