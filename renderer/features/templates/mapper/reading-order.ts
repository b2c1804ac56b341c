import type { PdfField, PdfWidget } from '../../../../shared/model/pdf-form.ts';

export interface FieldMark {
  readonly field: PdfField;
  readonly widget: PdfWidget;
  /** Index among the field's places. */
  readonly place: number;
}

/** Boxes whose centres differ by less than this are on one line (PDF points). */
const MAX_CENTRE_OFFSET_POINTS = 6;

/**
 * Returns the places in reading order (page by page, lines from the top, left to right), which is
 * also the tab order.
 */
export function inReadingOrder(fields: readonly PdfField[]): readonly FieldMark[] {
  const marks = fields.flatMap((field) =>
    (field.places ?? []).map((widget, place): FieldMark => ({ field, widget, place })),
  );
  const lines: FieldMark[][] = [];
  for (const mark of marks.toSorted(compareHeights)) {
    const line = lines.at(-1);
    const first = line?.[0];
    const isSame = first !== undefined && first.widget.page === mark.widget.page;
    if (line !== undefined && isSame && middleOf(first) - middleOf(mark) < MAX_CENTRE_OFFSET_POINTS)
      line.push(mark);
    else lines.push([mark]);
  }
  return lines.flatMap((line) => line.toSorted((a, b) => a.widget.box.x - b.widget.box.x));
}

/** Each field once, at its first place; fields without a place come last. */
export function fieldsInOrder(fields: readonly PdfField[]): readonly PdfField[] {
  return [...new Set([...inReadingOrder(fields).map(({ field }) => field), ...fields])];
}

function compareHeights(a: FieldMark, b: FieldMark): number {
  return a.widget.page - b.widget.page || middleOf(b) - middleOf(a);
}

function middleOf({ widget: { box } }: FieldMark): number {
  return box.y + box.height / 2;
}
