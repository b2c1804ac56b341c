import type { PDFRef } from 'pdf-lib';

/** A font in a PDF: every glyph is mapped to its text, so that the text can be extracted. */
export interface PdfFace {
  /** Returns a code for a glyph. For null, the code draws nothing and only has a text. */
  show(glyph: number | null, text: string): ShownGlyph;
  /** Whether the font has something to show for the glyph. */
  canShow(glyph: number | null): boolean;
  /** Writes the font into the document, if it has glyphs that are not in it yet. */
  write(): Promise<void>;
  /** Whether everything that was drawn is written. */
  readonly isWritten: boolean;
  resources(): readonly (readonly [name: string, ref: PDFRef])[];
}

export interface ShownGlyph {
  /** Name of the font in the resources. */
  readonly resource: string;
  /** Code of the glyph in hexadecimal digits. */
  readonly code: string;
  /** Pen movement of the glyph, in thousandths of the font size. */
  readonly width: number;
}

export const UNITS_PER_EM = 1000;
/** Precision in fractions of a unit, finer than any printer. */
const UNIT_PRECISION = 100;

export const roundUnits = (value: number): number =>
  Math.round(value * UNIT_PRECISION) / UNIT_PRECISION;
