import {
  PDFContentStream,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFOptionList,
  type PDFWidgetAnnotation,
} from 'pdf-lib';
import type { Pen } from './font-fallback.ts';
import type { TextMeasure } from './text-width.ts';

const RESTORED_LIST_KEYS = ['Opt', 'V', 'I'].map((key) => PDFName.of(key));
const OPTIONS = PDFName.of('Opt');
const VALUE = PDFName.of('V');
const SHOWN_TEXT_OPERATOR = /<[\dA-F]*> Tj/g;
const SIZE = / (?<size>[\d.]+) Tf/;

export function drawList(field: PDFOptionList, pen: Pen, helvetica: PDFFont): void {
  if (pen.font !== null) {
    field.defaultUpdateAppearances(pen.font);
    return;
  }
  const { dict } = field.acroField;
  const { context } = dict;
  const options = field.isSorted() ? field.getOptions().toSorted() : field.getOptions();
  const chosen = new Set(field.getSelected());
  const before = RESTORED_LIST_KEYS.map((key) => [key, dict.get(key)] as const);
  // pdf-lib draws a list of the positions; each position is then replaced by its option.
  const places = options.map((_, at) =>
    PDFHexString.fromText(String(at).padStart(MAX_DECIMALS, '0')),
  );
  dict.set(OPTIONS, context.obj(places));
  dict.set(VALUE, context.obj(places.filter((_, at) => chosen.has(options[at] ?? ''))));
  field.defaultUpdateAppearances(helvetica);
  for (const [key, value] of before) {
    if (value === undefined) dict.delete(key);
    else dict.set(key, value);
  }
  for (const widget of field.acroField.getWidgets()) drawOptions(widget, options, pen);
}

/** Number of digits of a position, so that sorting as text keeps the order. */
const MAX_DECIMALS = 5;

function drawOptions(
  widget: PDFWidgetAnnotation,
  options: readonly string[],
  { measure, ref }: Pen,
): void {
  const picture = widget.AP()?.lookup(PDFName.of('N'));
  if (!(picture instanceof PDFContentStream)) return;
  const operators = Buffer.from(picture.getUnencodedContents()).toString('latin1');
  const size = Number(SIZE.exec(operators)?.groups?.['size']);
  let at = -1;
  const drawn = operators.replaceAll(SHOWN_TEXT_OPERATOR, () => {
    at += 1;
    return drawnOption(options[at] ?? '', measure, size);
  });
  const { context } = widget.dict;
  const kept = ['BBox', 'Matrix'].map((key) => [key, picture.dict.get(PDFName.of(key))] as const);
  const stream = context.flateStream(drawn, {
    Type: 'XObject',
    Subtype: 'Form',
    Resources: ref,
    ...Object.fromEntries(
      kept.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  });
  widget.setNormalAppearance(context.register(stream));
}

function drawnOption(option: string, measure: TextMeasure, size: number): string {
  const line = option.replaceAll(/\s/g, ' ');
  return measure.flow(line).draw(0, line.length, size);
}
