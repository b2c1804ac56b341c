import {
  PDFCheckBox,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
} from 'pdf-lib';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import { LARGEST_WRAPPED } from './lay-out.ts';
import { optionsOf, valueOf } from './list-fields.ts';
import { sizeIn, withSize } from './text-frame.ts';

/** The font a value can be written in. */
export interface Letters {
  /** Throws 'invalid' with 'pdf-letters' and the field, when a letter is in no font we have. */
  fontFor(text: string, field: string): PDFFont;
}

/** Puts one value into a field and redraws it. Throws 'invalid' with the field named. */
export function fillField(field: PDFField, value: string | boolean, letters: Letters): void {
  if (field instanceof PDFCheckBox) {
    tick(field, value);
    field.updateAppearances();
    return;
  }
  const text = String(value).normalize('NFC');
  if (field instanceof PDFRadioGroup) {
    choose(field, text);
    field.updateAppearances();
  } else if (field instanceof PDFTextField) {
    write(field, text);
    drawText(field, letters.fontFor(text, field.getName()));
  } else if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    choose(field, text);
    field.updateAppearances(letters.fontFor(drawnBy(field, text), field.getName()));
  } else {
    throw refusal(field.getName(), 'pdf-no-such-field', 'The field takes no value');
  }
}

/** Several lines are drawn no larger than viewers draw them, where the form leaves the size open. */
function drawText(field: PDFTextField, font: PDFFont): void {
  const holders = [field.acroField, ...field.acroField.getWidgets()];
  const open = holders.filter((holder) => sizeIn(holder.getDefaultAppearance()) === 0);
  field.updateAppearances(font);
  if (!field.isMultiline()) return;
  for (const holder of open) {
    // pdf-lib has written the size it worked out into the form.
    const drawn = holder.getDefaultAppearance() ?? '';
    if ((sizeIn(drawn) ?? 0) <= LARGEST_WRAPPED) continue;
    holder.setDefaultAppearance(withSize(drawn, LARGEST_WRAPPED));
    field.updateAppearances(font);
  }
}

/** Draws a field that holds a value but was never given a picture of it. */
export function drawField(field: PDFField, letters: Letters): void {
  if (field.acroField.getWidgets().every((widget) => widget.getAppearances() !== undefined)) return;
  if (field instanceof PDFCheckBox || field instanceof PDFRadioGroup) field.updateAppearances();
  const isDrawn =
    field instanceof PDFTextField || field instanceof PDFDropdown || field instanceof PDFOptionList;
  if (!isDrawn) return;
  const text = drawnBy(field, valueOf(field));
  field.updateAppearances(letters.fontFor(text, field.getName()));
}

/** What a field draws in letters before anybody fills it. */
export function drawnTexts(field: PDFField): readonly string[] {
  const isText = field instanceof PDFTextField || field instanceof PDFDropdown;
  if (!isText && !(field instanceof PDFOptionList)) return [];
  return [drawnBy(field, valueOf(field))].filter((text) => text !== '');
}

/** A list shows all its options, the other fields only what they hold. */
function drawnBy(field: PDFField, text: string): string {
  return field instanceof PDFOptionList ? field.getOptions().join('') : text;
}

function tick(field: PDFCheckBox, value: string | boolean): void {
  const text = String(value);
  if (text === 'true' || (optionsOf(field) ?? []).includes(text)) field.check();
  else if (text === 'false') field.uncheck();
  else throw noSuchOption(field);
}

function choose(field: PDFRadioGroup | PDFDropdown | PDFOptionList, text: string): void {
  if (text === '') field.clear();
  else if (field.getOptions().includes(text) || isFree(field)) field.select(text);
  else throw noSuchOption(field);
}

function isFree(field: PDFField): boolean {
  return field instanceof PDFDropdown && field.isEditable();
}

function write(field: PDFTextField, text: string): void {
  const most = field.getMaxLength();
  if (most !== undefined && text.length > most) {
    throw refusal(field.getName(), 'pdf-value-too-long', `At most ${most} characters fit`);
  }
  field.setText(text);
}

function noSuchOption(field: PDFField): AppError {
  return refusal(field.getName(), 'pdf-no-such-option', 'The field does not offer this');
}

/** Says why a field does not take its value. */
export function refusal(field: string, reason: ErrorReason, message: string): AppError {
  return new AppError('invalid', `${field}: ${message}`, { reason, fields: { [field]: message } });
}
