import { type PDFDropdown, type PDFFont, PDFTextField } from 'pdf-lib';
import { layOutCells, layOutLine, layOutLines, type Layout } from './lay-out.ts';
import { frameOf, type TextFrame } from './text-frame.ts';
import type { TextMeasure } from './text-width.ts';

type LayOut = (text: string, frame: TextFrame, size: number, measure: TextMeasure) => Layout;

/**
 * Draws a text in each place of a field, as operators in the order of its widgets. The field's value
 * is lost by it; `font` is what the frames are drawn with, and no text.
 */
export function drawingOf(
  field: PDFTextField | PDFDropdown,
  font: PDFFont,
): (text: string, measure: TextMeasure) => readonly string[] {
  const layOut = layouter(field);
  const frames = field.acroField.getWidgets().map((widget) => frameOf(field, widget, font));
  // The size that fits in one place is the field's from then on, unless the place has its own.
  return (text, measure) => {
    let passedOn: number | undefined;
    return frames.map((frame) => {
      const size = frame.ownSize ?? passedOn ?? frame.fieldSize ?? 0;
      const layout = layOut(text, frame, size, measure);
      if (!frame.keepsSize) passedOn = layout.size;
      return frame.draw(layout);
    });
  };
}

function layouter(field: PDFTextField | PDFDropdown): LayOut {
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
