import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  type PDFDropdown,
  type PDFField,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFOptionList,
  PDFTextField,
} from 'pdf-lib';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { decimalText } from '../../../shared/rules/forms/decimals.ts';
import { decimalInFormat, inFormat } from '../../../shared/rules/forms/form-format.ts';
import { withPlainLineEnds } from '../../../shared/rules/forms/field-values.ts';
import { drawMissingStates, isStateField, setState, updateShownState } from './box-states.ts';
import { drawingOf } from './text/draw-text.ts';
import { MAX_WRAPPED } from './text/lay-out.ts';
import { isList, type ListField, shownValues, valueOf } from './list-fields.ts';
import { choicesIn, shownValueIn } from './sibling-fields.ts';
import { drawList } from './text/list-picture.ts';
import type { FittingPart } from './text/text-fit.ts';
import type { Pen } from './text/font-fallback.ts';
import { sizeIn, withSize } from './text/text-frame.ts';

const VALUE = PDFName.of('V');
const INDEXES = PDFName.of('I');
const RICH_TEXT = PDFName.of('RV');
const PICTURES = PDFName.of('AP');

/** Fonts for writing values. */
export interface FieldFonts {
  readonly helvetica: PDFFont;
  /**
   * Returns a pen, in the field's own font if that has the characters; null if no available font
   * has them.
   */
  penFor(text: string, field: PDFField): Pen | null;
  /**
   * Returns the pen of `penFor`. Throws 'invalid' with 'pdf-letters', the field and the character
   * if there is none.
   */
  needPen(text: string, field: PDFField): Pen;
  /** Writes the fonts into the document after everything is drawn. */
  write(): Promise<void>;
}

/** Whether viewers must draw every field from its value, even if it has an appearance. */
export function needsPictures(document: PDFDocument): boolean {
  const form = document.catalog.lookup(PDFName.of('AcroForm'));
  const wish = form instanceof PDFDict ? form.lookup(PDFName.of('NeedAppearances')) : undefined;
  return wish === PDFBool.True;
}

/** Writes and draws one value that the field accepts; returns how a text fits its widgets. */
export function fillField(
  field: PDFField,
  { value, described }: { readonly value: string | boolean; readonly described: PdfField },
  letters: FieldFonts,
): readonly FittingPart[] {
  const text = shownValueIn(field, described, String(value));
  if (isStateField(field)) {
    setState(field, text === '' ? null : text);
    // The form's own ticks stay as they are, as in the flat copy.
    drawMissingStates(field);
  } else if (field instanceof PDFTextField) {
    field.acroField.dict.delete(RICH_TEXT);
    const pen = letters.needPen(text, field);
    const fits = drawingOf(field, letters.helvetica).fits(text, pen.measure);
    field.setText(text);
    drawFieldText(field, text, pen, letters);
    const held = storedValueOf(described, text);
    if (held !== text) field.acroField.dict.set(VALUE, PDFHexString.fromText(held));
    return fits;
  } else if (isList(field)) {
    const isMany = field instanceof PDFOptionList;
    const shown = isMany ? choicesIn(described, text) : [text].filter((one) => one !== '');
    const pen = letters.needPen(textDrawnBy(field, shown.join('')), field);
    const fits = isMany ? [] : drawingOf(field, letters.helvetica).fits(text, pen.measure);
    chooseOptions(field, shown);
    drawChosenOptions(field, shown.join(''), pen, letters);
    keepExportValues(field, shown);
    return fits;
  }
  return [];
}

/**
 * Returns the stored value of a text that a script of the form formats. Viewers run that script on
 * the value when they open the form: pdf.js would read 9 from "9.000,00" and show that.
 */
function storedValueOf(described: PdfField, text: string): string {
  const { format } = described;
  if (format?.kind !== 'number' || inFormat(described, text) !== text) return text;
  const value = decimalInFormat(format, text);
  return (value === null ? null : decimalText(value, { group: '', point: '.' })) ?? text;
}

/** Selects options by their displayed text, as pdf-lib draws them. */
export function chooseOptions(field: ListField, shown: readonly string[]): void {
  if (shown.length === 0) field.clear();
  else field.select([...shown]);
}

/** Stores the export values (PDF 1.7, 12.7.4.4); pdf-lib writes the displayed texts. */
function keepExportValues(field: ListField, shown: readonly string[]): void {
  const { dict } = field.acroField;
  const options = field.acroField.getOptions();
  const places = shown.map((one) =>
    options.findIndex(({ value, display }) => (display ?? value).decodeText() === one),
  );
  const found = places.filter((place) => place >= 0).toSorted((a, b) => a - b);
  if (found.length === 0 || found.length < shown.length) return;
  const values = found.flatMap((place) => options[place]?.value ?? []);
  const [only] = values;
  if (values.length === 1 && only !== undefined) dict.set(VALUE, only);
  else dict.set(VALUE, PDFArray.withContext(dict.context));
  const list = dict.lookup(VALUE);
  if (list instanceof PDFArray) for (const value of values) list.push(value);
  dict.set(INDEXES, dict.context.obj(found));
}

function drawFieldText(
  field: PDFTextField,
  text: string,
  pen: Pen,
  { helvetica }: FieldFonts,
): void {
  if (pen.font === null) drawMixedText(field, text, pen, helvetica);
  else drawWithoutFont(field, pen.font);
}

function drawChosenOptions(
  field: ListField,
  text: string,
  pen: Pen,
  { helvetica }: FieldFonts,
): void {
  if (field instanceof PDFOptionList) drawList(field, pen, helvetica);
  else if (pen.font === null) drawMixedText(field, text, pen, helvetica);
  else field.updateAppearances(pen.font);
}

/**
 * Draws text in several fonts, which pdf-lib cannot do; pdf-lib still draws everything around it.
 */
function drawMixedText(
  field: PDFTextField | PDFDropdown,
  text: string,
  { measure, ref }: Pen,
  helvetica: PDFFont,
): void {
  const { dict } = field.acroField;
  const held = dict.get(VALUE);
  const drawn = drawingOf(field, helvetica).draw(text, measure).pictures;
  if (held === undefined) dict.delete(VALUE);
  else dict.set(VALUE, held);
  const { context } = dict;
  for (const [at, widget] of field.acroField.getWidgets().entries()) {
    const { width, height } = widget.getRectangle();
    const picture = context.flateStream(drawn[at] ?? '', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, width, height],
      Matrix: [1, 0, 0, 1, 0, 0],
      Resources: ref,
    });
    widget.setNormalAppearance(context.register(picture));
  }
}

/**
 * Draws a field in one font. Multi-line text with automatic size is drawn no larger than in
 * viewers.
 */
function drawWithoutFont(field: PDFTextField, font: PDFFont): void {
  const holders = [field.acroField, ...field.acroField.getWidgets()];
  const open = holders.filter((holder) => sizeIn(holder.getDefaultAppearance()) === 0);
  field.updateAppearances(font);
  if (!field.isMultiline()) return;
  for (const holder of open) {
    // pdf-lib has written its calculated size into the form.
    const drawn = holder.getDefaultAppearance() ?? '';
    if ((sizeIn(drawn) ?? 0) <= MAX_WRAPPED) continue;
    holder.setDefaultAppearance(withSize(drawn, MAX_WRAPPED));
    field.updateAppearances(font);
  }
}

/**
 * Draws a field that is not filled from its value, if it has no appearance or the form requires it
 * (`isAsked`). Returns false if no available font has a character: an unreliable appearance is then
 * removed.
 */
export function drawField(field: PDFField, letters: FieldFonts, isAsked: boolean): boolean {
  const widgets = field.acroField.getWidgets();
  const isDrawn = widgets.every((widget) => widget.getAppearances() !== undefined);
  if (isDrawn && !isAsked) return true;
  if (isStateField(field)) {
    updateShownState(field, isAsked);
    if (!isDrawn) field.updateAppearances();
    return true;
  }
  if (!(field instanceof PDFTextField) && !isList(field)) return true;
  const pen = letters.penFor(textDrawnBy(field, valueOf(field)), field);
  if (pen === null) {
    if (isAsked) for (const { dict } of widgets) dict.delete(PICTURES);
    return false;
  }
  const { dict } = field.acroField;
  const held = dict.get(VALUE);
  if (isList(field)) showOptionLabels(field);
  else dict.set(VALUE, PDFHexString.fromText(withPlainLineEnds(valueOf(field))));
  if (field instanceof PDFTextField) drawCutText(field, pen, letters);
  else drawChosenOptions(field, shownValues(field).join(''), pen, letters);
  if (held === undefined) dict.delete(VALUE);
  else dict.set(VALUE, held);
  return true;
}

/**
 * Draws a field's text up to its maximum length. A form may contain a longer text, which pdf-lib
 * would refuse to draw.
 */
function drawCutText(field: PDFTextField, pen: Pen, letters: FieldFonts): void {
  const most = field.getMaxLength();
  const text = valueOf(field);
  if (most !== undefined && text.length > most) {
    field.acroField.dict.set(VALUE, PDFHexString.fromText(text.slice(0, most)));
  }
  drawFieldText(field, withPlainLineEnds(text).slice(0, most), pen, letters);
}

/** Stores a list's displayed texts where pdf-lib reads them for drawing. */
export function showOptionLabels(field: ListField): void {
  const shown = shownValues(field).map((text) => PDFHexString.fromText(text));
  const { dict } = field.acroField;
  const [only] = shown;
  if (only === undefined) return;
  dict.set(VALUE, shown.length === 1 ? only : dict.context.obj(shown));
}

/** Returns the texts that a field draws before it is filled. */
export function drawnTexts(field: PDFField): readonly string[] {
  if (!(field instanceof PDFTextField) && !isList(field)) return [];
  return [textDrawnBy(field, valueOf(field))].filter((text) => text !== '');
}

/** Returns the text that a field draws: a list all its options, any other field only its value. */
function textDrawnBy(field: PDFField, text: string): string {
  return field instanceof PDFOptionList ? field.getOptions().join('\n') : text;
}
