import {
  defaultDropdownAppearanceProvider,
  defaultTextFieldAppearanceProvider,
  normalizeAppearance,
  PDFDropdown,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFOperator,
  PDFTextField,
  type PDFWidgetAnnotation,
  TextAlignment,
} from 'pdf-lib';
import type { Alignment, Bounds, Layout } from './lay-out.ts';

/** A text field's widget: the drawing around the text, and the position of the text. */
export interface TextFrame {
  readonly bounds: Bounds;
  readonly alignment: Alignment;
  /** Size of the widget itself, 0 for automatic, undefined if the field defines it. */
  readonly ownSize: number | undefined;
  readonly fieldSize: number | undefined;
  /**
   * Whether the widget has its own size or colour, so that its fitting size is not used for the
   * next widget.
   */
  readonly keepsSize: boolean;
  /** Returns the drawing operators of the widget with this text. */
  draw(layout: Layout): string;
}

/** Name of the font in the resources of every appearance that this program draws. */
export const FONT_RESOURCE = 'F';

/** A default appearance as pdf-lib reads it (PDF 1.7, 12.7.3.3). */
const SIZE = /\/[^\0\t\n\f\r /]+[\0\t\n\f\r ]+(\d*\.\d+|\d+)[\0\t\n\f\r ]+Tf/g;
const COLOUR = /\d[\0\t\n\f\r ]+(?:g|rg|k)/;
/**
 * Smallest number that is not written as zero: JavaScript writes smaller numbers with an exponent,
 * which PDF does not support.
 */
const ZERO_TOLERANCE = 1e-6;

/** Returns the frame from pdf-lib's own drawing of the empty field. Clears the field's value. */
export function frameOf(
  field: PDFTextField | PDFDropdown,
  widget: PDFWidgetAnnotation,
  font: PDFFont,
): TextFrame {
  const own = widget.getDefaultAppearance();
  const ownSize = sizeIn(own);
  const fieldSize = sizeIn(field.acroField.getDefaultAppearance());
  const [head, tail] = operatorsAroundText(emptyDrawing(field, widget, font));
  return {
    ...boxOf(field, widget),
    ownSize,
    fieldSize,
    keepsSize: ownSize !== undefined || COLOUR.test(own ?? ''),
    draw({ size, lines }) {
      let drawn = `${head}/${FONT_RESOURCE} ${toPdfNumber(size)} Tf\n`;
      for (const { flow, from, to, x, y } of lines) {
        drawn += `1 0 0 1 ${toPdfNumber(x)} ${toPdfNumber(y)} Tm\n${flow.draw(from, to, size)}\n`;
      }
      return drawn + tail;
    },
  };
}

function emptyDrawing(
  field: PDFTextField | PDFDropdown,
  widget: PDFWidgetAnnotation,
  font: PDFFont,
): readonly PDFOperator[] {
  const defaults = [widget.dict, field.acroField.dict].map((dict) => ({
    dict,
    value: dict.get(PDFName.of('DA')),
  }));
  field.acroField.dict.set(PDFName.of('V'), PDFHexString.fromText(''));
  const drawn =
    field instanceof PDFTextField
      ? normalizeAppearance(defaultTextFieldAppearanceProvider(field, widget, font))
      : normalizeAppearance(defaultDropdownAppearanceProvider(field, widget, font));
  // Drawing writes its calculated size into the form, where the next drawing would read it.
  for (const { dict, value } of defaults) {
    if (value === undefined) dict.delete(PDFName.of('DA'));
    else dict.set(PDFName.of('DA'), value);
  }
  return drawn.normal;
}

/** Returns the operators before the font is set, and after the text. */
function operatorsAroundText(operators: readonly PDFOperator[]): readonly [string, string] {
  const lines = operators.map(String);
  const font = lines.findIndex((line) => line.endsWith(' Tf'));
  const end = lines.indexOf('ET');
  return [`${lines.slice(0, font).join('\n')}\n`, lines.slice(end).join('\n')];
}

function boxOf(
  field: PDFTextField | PDFDropdown,
  widget: PDFWidgetAnnotation,
): Pick<TextFrame, 'bounds' | 'alignment'> {
  const border = widget.getBorderStyle()?.getWidth() ?? 0;
  const isComb = field instanceof PDFTextField && !field.isMultiline() && field.isCombed();
  const inset = border + (isComb ? 0 : 1);
  const { width, height } = widget.getRectangle();
  const turn = widget.getAppearanceCharacteristics()?.getRotation() ?? 0;
  const isTurned = turn % 180 !== 0 && turn % 90 === 0;
  const [across, up] = isTurned ? [height, width] : [width, height];
  return {
    bounds: { x: inset, y: inset, width: across - inset * 2, height: up - inset * 2 },
    alignment: field instanceof PDFTextField ? alignmentOf(field) : 'left',
  };
}

function alignmentOf(field: PDFTextField): Alignment {
  switch (field.getAlignment()) {
    case TextAlignment.Center:
      return 'center';
    case TextAlignment.Right:
      return 'right';
    case TextAlignment.Left:
      return 'left';
  }
}

/** Returns the size in a default appearance: 0 for automatic, undefined if it names no font. */
export function sizeIn(appearance: string | undefined): number | undefined {
  const size = [...(appearance ?? '').matchAll(SIZE)].at(-1)?.[1];
  return size === undefined ? undefined : Number(size);
}

export function withSize(appearance: string, size: number): string {
  const found = [...appearance.matchAll(SIZE)].at(-1);
  if (found === undefined) return appearance;
  const [chosen, was = ''] = found;
  const changed = `${chosen.slice(0, chosen.lastIndexOf(was))}${String(size)} Tf`;
  return appearance.slice(0, found.index) + changed + appearance.slice(found.index + chosen.length);
}

/**
 * Returns a number in PDF syntax, unrounded, since a clip can end just before or just after a
 * pixel.
 */
export function toPdfNumber(value: number): string {
  return Math.abs(value) < ZERO_TOLERANCE ? '0' : String(value);
}
