import type { PDFRef } from 'pdf-lib';

/** A font as a PDF draws from it: every glyph has the text it stands for, so that it can be read back. */
export interface PdfFace {
  /** A code for a glyph; null is one that draws nothing and takes no room, for what it stands for. */
  show(glyph: number | null, text: string): ShownGlyph;
  /** False where the font has nothing to show. */
  canShow(glyph: number | null): boolean;
  /** Writes the font into the document, when it has glyphs that were not in it yet. */
  write(): Promise<void>;
  /** Whether all that is drawn is written. */
  readonly isWritten: boolean;
  resources(): readonly (readonly [name: string, ref: PDFRef])[];
}

export interface ShownGlyph {
  /** The name of the font among the resources. */
  readonly resource: string;
  /** In hexadecimal. */
  readonly code: string;
  /** How far the pen goes by itself, in thousandths of the size. */
  readonly width: number;
}

export const UNIT = 1000;
/** Fractions of a point that no printer shows. */
const PRECISION = 100;

export const rounded = (value: number): number => Math.round(value * PRECISION) / PRECISION;
