import {
  AcroChoiceFlags,
  AcroFieldFlags,
  AcroTextFlags,
  type PDFAcroField,
  PDFArray,
  PDFButton,
  PDFCheckBox,
  type PDFDocument,
  PDFDict,
  PDFDropdown,
  type PDFField as LibraryField,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFOptionList,
  PDFRadioGroup,
  PDFRef,
  PDFString,
  PDFTextField,
} from 'pdf-lib';
import type { PdfField, PdfWidget } from '../../../shared/model/pdf-form.ts';
import { foldOption, indexOfAnswer } from '../../../shared/rules/forms/box-words.ts';
import { parseBoolean } from '../../../shared/rules/forms/boolean-words.ts';
import { keptFontOf } from './text/kept-font.ts';
import { isStateField, shownStateOf, statesOf, stateTexts } from './box-states.ts';
import { mergeSiblings } from './sibling-fields.ts';
import { calculationOf, checkOf, formatOf, hasCalculation } from './form-scripts.ts';

// Constants, because they are looked up for every field, and pdf-lib searches each new name for
// escapes.
const LABEL = PDFName.of('TU');
const VALUE = PDFName.of('V');
/**
 * String of plain characters, without escapes, which needs no decoding; decoding goes byte by byte.
 */
const PLAIN_TEXT = /^[ -[\]-~]*$/;

/**
 * Returns the form's fields in its own order; two fields with the same name are one field to the
 * user.
 */
export function listFields(
  document: PDFDocument,
  held: readonly LibraryField[] = fieldsOf(document),
): readonly PdfField[] {
  const pages = pagesOfWidgets(document);
  const order = readCalculationOrder(document);
  const fields = new Map<string, PdfField>();
  for (const field of held) {
    const name = nameOf(field);
    // A field without a name cannot be filled; it keeps its appearance.
    if (name === '') continue;
    const known = fields.get(name);
    const places = placesOf(field, pages);
    const described = { name, ...describeField(field, name, places, order) };
    fields.set(name, known === undefined ? described : mergeSiblings(known, described));
  }
  return [...fields.values()];
}

interface FieldNames {
  readonly name: string;
  /** Name as pdf-lib builds it, with "undefined" for groups without a name. */
  readonly former: string;
}

const namesByDict = new WeakMap<PDFDict, FieldNames>();

/**
 * Returns the full name of a field: the names of its groups and its own; missing names are skipped
 * (PDF 1.7, 12.7.3.2).
 */
export function nameOf({ acroField }: LibraryField): string {
  return namesOf(acroField).name;
}

/** Returns the names of a field. They are read once per group, however many fields it has. */
function namesOf(field: PDFAcroField): FieldNames {
  const found = namesByDict.get(field.dict);
  if (found !== undefined) return found;
  const parent = field.getParent();
  const own = field.getPartialName();
  const above = parent === undefined ? undefined : namesOf(parent);
  const name = [above?.name ?? '', own ?? ''].filter((part) => part !== '').join('.');
  const former = above === undefined ? (own ?? '') : `${above.former}.${own}`;
  const names = { name, former: above === undefined && own === undefined ? 'undefined' : former };
  namesByDict.set(field.dict, names);
  return names;
}

/** Returns the library's field objects, in the form's order. */
export function fieldsOf(document: PDFDocument): readonly LibraryField[] {
  try {
    return document.getForm().getFields();
  } catch (error) {
    // Fields that contain each other overflow the stack; viewers show none of them.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/**
 * Returns the value as text: `true` or `false` for a checkbox; chosen options are joined by a
 * comma.
 */
export function valueOf(field: LibraryField): string {
  if (field instanceof PDFTextField) return plainText(field);
  if (isStateField(field)) {
    const shown = shownStateOf(field);
    return typeOf(field) === 'checkbox' ? String(shown !== null) : (shown ?? '');
  }
  if (isList(field)) return shownValues(field).join(', ');
  return '';
}

export type ListField = PDFDropdown | PDFOptionList;

export function isList(field: LibraryField): field is ListField {
  return field instanceof PDFDropdown || field instanceof PDFOptionList;
}

/**
 * Returns the chosen options as displayed: the PDF stores their export values (PDF 1.7, 12.7.4.4).
 */
export function shownValues(field: ListField): readonly string[] {
  const values = field.acroField.getValues().map((value) => value.decodeText());
  if (values.length === 0) return values;
  const options = field.acroField.getOptions();
  return values.map((value) => {
    const found = options.find((option) => option.value.decodeText() === value);
    return found === undefined ? value : (found.display ?? found.value).decodeText();
  });
}

/**
 * Returns the export values of the options, in order. Undefined if they equal the options, or if
 * one equals the text of another option, which would make a value ambiguous.
 */
function exportsOf(field: LibraryField, options: readonly string[]): string[] | undefined {
  if (!isList(field)) return undefined;
  const pairs = field.acroField.getOptions();
  const exports = new Map(
    pairs.toReversed().map(({ value, display }) => [(display ?? value).decodeText(), value]),
  );
  const values = options.map((option) => exports.get(option)?.decodeText() ?? option);
  const isOwn = values.every((value, at) => value === options[at]);
  if (isOwn || new Set(values).size < values.length) return undefined;
  const shown = new Map(options.map((option, at) => [foldOption(option), at]));
  const isClear = values.every((value, at) => {
    const meant =
      parseBoolean(value) === null ? shown.get(foldOption(value)) : indexOfAnswer(options, value);
    return (meant ?? at) === at;
  });
  return isClear ? values : undefined;
}

/** Returns the values that a field accepts, or undefined if any text is valid. */
function optionsOf(field: LibraryField): readonly string[] | undefined {
  if (isStateField(field)) return stateTexts(field);
  return isList(field) ? [...new Set(field.getOptions())] : undefined;
}

function describeField(
  field: LibraryField,
  name: string,
  places: PdfWidget[],
  order: CalculationOrder,
): Omit<PdfField, 'name'> {
  const options = optionsOf(field);
  const exports = options === undefined ? undefined : exportsOf(field, options);
  const { former } = namesOf(field.acroField);
  const maxLength = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const label = textIn(field.acroField.dict, LABEL);
  const isText = field instanceof PDFTextField;
  const kept = isText || field instanceof PDFDropdown ? keptFontOf(field) : null;
  // The flags are read once: they may be inherited, and each request walks up the form.
  const flags = field.acroField.getFlags();
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    type: typeOf(field),
    // A field without a widget belongs to the document, which starts on page 1.
    page: places[0]?.page ?? 1,
    value: valueOf(field),
    ...(options === undefined ? {} : { options: [...options] }),
    ...(exports === undefined ? {} : { exports }),
    ...(maxLength === undefined ? {} : { maxLength }),
    multiline: isText && has(AcroTextFlags.Multiline),
    required: has(AcroFieldFlags.Required),
    readOnly: has(AcroFieldFlags.ReadOnly),
    ...(isText && has(AcroTextFlags.Comb) && field.isCombed() ? { comb: true } : {}),
    ...(kept === null ? {} : { alphabet: kept.alphabet }),
    ...scriptsOf(field, order),
    ...(isText && has(AcroTextFlags.Password) ? { password: true } : {}),
    ...(field instanceof PDFDropdown && has(AcroChoiceFlags.Edit) ? { editable: true } : {}),
    ...(field instanceof PDFOptionList && has(AcroChoiceFlags.MultiSelect)
      ? { multiple: true }
      : {}),
    ...(former === name ? {} : { formerName: former }),
    ...(label === '' ? {} : { label }),
    places,
  };
}

function placesOf(
  field: LibraryField,
  pages: ReadonlyMap<PDFDict, ReadonlySet<number>>,
): PdfWidget[] {
  const states = isStateField(field) ? statesOf(field) : [];
  return field.acroField.getWidgets().flatMap((widget, at): PdfWidget[] => {
    const on = pages.get(widget.dict);
    if (on === undefined) return [];
    const { x, y, width, height } = widget.getRectangle();
    const onValue = states[at]?.text;
    const box = {
      x: Math.min(x, x + width),
      y: Math.min(y, y + height),
      width: Math.abs(width),
      height: Math.abs(height),
    };
    return [...on].map((page) => ({ page, box, ...(onValue === undefined ? {} : { onValue }) }));
  });
}

/**
 * Returns the type of a field. Checkboxes with one name and several on-states are a choice, like
 * radio buttons.
 */
function typeOf(field: LibraryField): PdfField['type'] {
  if (field instanceof PDFTextField) return 'text';
  if (field instanceof PDFRadioGroup) return 'radio';
  if (field instanceof PDFCheckBox) return stateTexts(field).length > 1 ? 'radio' : 'checkbox';
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) return 'choice';
  return field instanceof PDFButton ? 'button' : 'signature';
}

/**
 * Returns the plain value of a text field, because the library refuses rich text. Passwords are
 * never returned.
 */
function plainText({ acroField }: PDFTextField): string {
  if ((acroField.getFlags() & AcroTextFlags.Password) !== 0) return '';
  return textOf(acroField.dict.has(VALUE) ? acroField.dict.lookup(VALUE) : acroField.V());
}

function textIn(dictionary: PDFDict, key: PDFName): string {
  return textOf(dictionary.lookup(key));
}

function textOf(value: PDFObject | undefined): string {
  if (value instanceof PDFString && PLAIN_TEXT.test(value.asString())) return value.asString();
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}

/** Position of each field in the form's calculation order, from 0. */
type CalculationOrder = ReadonlyMap<PDFRef, number>;

/**
 * Returns the scripts for the value and the format of a field. They are parsed for text fields, and
 * only detected for lists.
 */
function scriptsOf(
  field: LibraryField,
  order: CalculationOrder,
): Pick<PdfField, 'calculated' | 'calculation' | 'check' | 'format'> {
  const { ref, acroField } = field;
  const isText = field instanceof PDFTextField;
  const isTyped = isText || field instanceof PDFDropdown;
  const asked = isTyped ? formatOf(acroField) : undefined;
  const format = isText || asked === undefined ? asked : ({ kind: 'other' } as const);
  const check = isTyped ? checkOf(acroField) : undefined;
  const isCalculated = order.has(ref) || hasCalculation(acroField);
  // Acrobat calculates only the fields of its list; others follow in the order of the form.
  const place = order.get(ref) ?? order.size;
  const calculation = isText && isCalculated ? calculationOf(acroField, place) : undefined;
  return {
    ...(format === undefined ? {} : { format }),
    ...(check === undefined ? {} : { check }),
    ...(isCalculated ? { calculated: true } : {}),
    ...(calculation === undefined ? {} : { calculation }),
  };
}

function readCalculationOrder(document: PDFDocument): CalculationOrder {
  const form = document.catalog.lookup(PDFName.of('AcroForm'));
  const order = form instanceof PDFDict ? form.lookup(PDFName.of('CO')) : undefined;
  const refs = order instanceof PDFArray ? order.asArray() : [];
  return new Map(refs.flatMap((one, at) => (one instanceof PDFRef ? [[one, at] as const] : [])));
}

/**
 * Returns the pages that list each annotation, counted from 1: two pages may share an annotation.
 */
function pagesOfWidgets(document: PDFDocument): ReadonlyMap<PDFDict, ReadonlySet<number>> {
  const pages = new Map<PDFDict, Set<number>>();
  document.getPages().forEach((page, index) => {
    const annotations = page.node.Annots();
    for (let at = 0; at < (annotations?.size() ?? 0); at += 1) {
      const annotation = annotations?.lookup(at);
      if (!(annotation instanceof PDFDict)) continue;
      const known = pages.get(annotation);
      if (known === undefined) pages.set(annotation, new Set([index + 1]));
      else known.add(index + 1);
    }
  });
  return pages;
}
