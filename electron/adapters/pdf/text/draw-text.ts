import { type PDFDropdown, type PDFFont, PDFTextField } from 'pdf-lib';
import { layOutCells, layOutLine, layOutLines, type Layout } from './lay-out.ts';
import { type FittingPart, excessCharacterCount, isInside, longestBeginning } from './text-fit.ts';
import { frameOf, type TextFrame } from './text-frame.ts';
import type { TextMeasure } from './text-width.ts';

type LayOut = (text: string, frame: TextFrame, size: number, measure: TextMeasure) => Layout;

/** A text drawn in each widget of a field, in the order of the widgets. */
interface DrawnText {
  /** Drawing operators. */
  readonly pictures: readonly string[];
  fits(): readonly FittingPart[];
}

export interface TextDrawing {
  draw(text: string, measure: TextMeasure): DrawnText;
  /** Returns how a text fits, without drawing it. */
  fits(text: string, measure: TextMeasure): readonly FittingPart[];
}

/**
 * Prepares a field for drawing texts. Clears the field's value; `font` is only for drawing the
 * frames, not the text.
 */
export function drawingOf(field: PDFTextField | PDFDropdown, font: PDFFont): TextDrawing {
  const layOut = createLayOut(field);
  const isHigh = field instanceof PDFTextField && field.isMultiline();
  const frames = field.acroField.getWidgets().map((widget) => frameOf(field, widget, font));
  const laidOut = (text: string, measure: TextMeasure) => {
    // The size that fits one widget is used for the next ones, unless a widget has its own.
    let passedOn: number | undefined;
    return frames.map((frame) => {
      const size = frame.ownSize ?? passedOn ?? frame.fieldSize ?? 0;
      const layout = layOut(text, frame, size, measure);
      if (!frame.keepsSize) passedOn = layout.size;
      return { frame, layout, size };
    });
  };
  type LaidOut = ReturnType<typeof laidOut>[number];
  const fitOf = (
    { frame, layout, size }: LaidOut,
    text: string,
    measure: TextMeasure,
  ): FittingPart => {
    const openSize = size === 0 && text !== '' ? layout.size : null;
    if (isInside(layout, frame.bounds, isHigh)) return { fits: text, excess: 0, openSize };
    const fits = longestBeginning(text, (part) =>
      isInside(layOut(part, frame, size, measure), frame.bounds, isHigh),
    );
    return { fits, excess: excessCharacterCount(text, fits), openSize };
  };
  return {
    draw(text, measure) {
      const places = laidOut(text, measure);
      return {
        pictures: places.map(({ frame, layout }) => frame.draw(layout)),
        fits: () => places.map((place) => fitOf(place, text, measure)),
      };
    },
    fits: (text, measure) => laidOut(text, measure).map((place) => fitOf(place, text, measure)),
  };
}

function createLayOut(field: PDFTextField | PDFDropdown): LayOut {
  const box = ({ bounds, alignment }: TextFrame, size: number, measure: TextMeasure) => ({
    bounds,
    alignment,
    size,
    measure,
  });
  if (field instanceof PDFTextField && field.isMultiline()) {
    return (text, frame, size, measure) => layOutLines(text, box(frame, size, measure));
  }
  if (field instanceof PDFTextField && field.isCombed()) {
    const cells = field.getMaxLength() ?? 0;
    return (text, frame, size, measure) => layOutCells(text, box(frame, size, measure), cells);
  }
  return (text, frame, size, measure) => layOutLine(text, box(frame, size, measure));
}
