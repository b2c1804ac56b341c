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

// Looked up for every field, and pdf-lib searches each name for escapes before it finds it.
const ACTIONS = PDFName.of('AA');
const CALCULATE = PDFName.of('C');
const LABEL = PDFName.of('TU');
const VALUE = PDFName.of('V');
/** A string in these letters, without escapes, is its own text; decoding goes byte by byte. */
const PLAIN = /^[ -[\]-~]*$/;

/** The form's fields in its own order; two fields of one name are one to a person. */
export function listFields(
  document: PDFDocument,
  held: readonly LibraryField[] = fieldsOf(document),
): readonly PdfField[] {
  const pages = pagesOfWidgets(document);
  const order = calculated(document);
  const fields = new Map<string, PdfField>();
  for (const field of held) {
    const name = nameOf(field);
    // What has no name cannot be filled by one; it keeps what it shows.
    if (name === '') continue;
    const known = fields.get(name);
    const places = placesOf(field, pages);
    if (known === undefined) fields.set(name, { name, ...describe(field, name, places, order) });
    else fields.set(name, { ...known, places: [...(known.places ?? []), ...places] });
  }
  return [...fields.values()];
}

interface Names {
  readonly name: string;
  /** As pdf-lib makes it, where groups without a name become "undefined" in it. */
  readonly former: string;
}

const named = new WeakMap<PDFDict, Names>();

/** The names of the groups a field stands in and its own; what has no name adds none (PDF 1.7, 12.7.3.2). */
export function nameOf({ acroField }: LibraryField): string {
  return namesOf(acroField).name;
}

/** Read once for each group, however many fields stand in it. */
function namesOf(field: PDFAcroField): Names {
  const found = named.get(field.dict);
  if (found !== undefined) return found;
  const parent = field.getParent();
  const own = field.getPartialName();
  const above = parent === undefined ? undefined : namesOf(parent);
  const name = [above?.name ?? '', own ?? ''].filter((part) => part !== '').join('.');
  const former = above === undefined ? (own ?? '') : `${above.former}.${own}`;
  const names = { name, former: above === undefined && own === undefined ? 'undefined' : former };
  named.set(field.dict, names);
  return names;
}

/** The library's fields, in the form's order. */
export function fieldsOf(document: PDFDocument): readonly LibraryField[] {
  try {
    return document.getForm().getFields();
  } catch (error) {
    // Fields that contain each other exhaust the stack; viewers show none of them.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The value as text: `true` or `false` for a checkbox, chosen options joined by a comma. */
export function valueOf(field: LibraryField): string {
  if (field instanceof PDFTextField) return plainText(field);
  if (field instanceof PDFCheckBox) return String(field.isChecked());
  if (field instanceof PDFRadioGroup) return field.getSelected() ?? '';
  if (isList(field)) return shownValues(field).join(', ');
  return '';
}

/** A field whose options a person chooses from. */
export type ListField = PDFDropdown | PDFOptionList;

export function isList(field: LibraryField): field is ListField {
  return field instanceof PDFDropdown || field instanceof PDFOptionList;
}

/** What is chosen as it is shown: the PDF holds the export values (PDF 1.7, 12.7.4.4). */
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
 * The export values of the options, in their order; undefined where they are the options
 * themselves, or where one stands for another option's text, so that a value would say two things.
 */
function exportsOf(field: LibraryField, options: readonly string[]): string[] | undefined {
  if (!isList(field)) return undefined;
  const pairs = field.acroField.getOptions();
  const exports = new Map(
    pairs.toReversed().map(({ value, display }) => [(display ?? value).decodeText(), value]),
  );
  const values = options.map((option) => exports.get(option)?.decodeText() ?? option);
  const isOwn = values.every((value, at) => value === options[at]);
  const isUnclear = values.some((value, at) => value !== options[at] && options.includes(value));
  return isOwn || isUnclear || new Set(values).size < values.length ? undefined : values;
}

/** The values a field accepts, or undefined when any text will do. */
function optionsOf(field: LibraryField): readonly string[] | undefined {
  if (field instanceof PDFCheckBox) {
    const onValue = field.acroField.getOnValue();
    return onValue === undefined ? [] : [onValue.decodeText()];
  }
  const hasOptions =
    field instanceof PDFRadioGroup ||
    field instanceof PDFDropdown ||
    field instanceof PDFOptionList;
  return hasOptions ? [...new Set(field.getOptions())] : undefined;
}

function describe(
  field: LibraryField,
  name: string,
  places: PdfWidget[],
  order: ReadonlySet<PDFRef>,
): Omit<PdfField, 'name'> {
  const options = optionsOf(field);
  const exports = options === undefined ? undefined : exportsOf(field, options);
  const { former } = namesOf(field.acroField);
  const maxLength = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const label = textIn(field.acroField.dict, LABEL);
  const isText = field instanceof PDFTextField;
  // A field may inherit its flags, so that asking once per flag climbs the form each time.
  const flags = field.acroField.getFlags();
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    type: typeOf(field),
    // A field that is drawn nowhere belongs to the document, which starts on page 1.
    page: places[0]?.page ?? 1,
    value: valueOf(field),
    ...(options === undefined ? {} : { options: [...options] }),
    ...(exports === undefined ? {} : { exports }),
    ...(maxLength === undefined ? {} : { maxLength }),
    multiline: isText && has(AcroTextFlags.Multiline),
    required: has(AcroFieldFlags.Required),
    readOnly: has(AcroFieldFlags.ReadOnly),
    ...(isText && has(AcroTextFlags.Comb) && field.isCombed() ? { comb: true } : {}),
    ...(isCalculated(field, order) ? { calculated: true } : {}),
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
  const hasStates = field instanceof PDFCheckBox || field instanceof PDFRadioGroup;
  return field.acroField.getWidgets().flatMap((widget): PdfWidget[] => {
    const on = pages.get(widget.dict);
    if (on === undefined) return [];
    const { x, y, width, height } = widget.getRectangle();
    const onValue = hasStates ? widget.getOnValue()?.decodeText() : undefined;
    const box = {
      x: Math.min(x, x + width),
      y: Math.min(y, y + height),
      width: Math.abs(width),
      height: Math.abs(height),
    };
    return [...on].map((page) => ({ page, box, ...(onValue === undefined ? {} : { onValue }) }));
  });
}

function typeOf(field: LibraryField): PdfField['type'] {
  if (field instanceof PDFTextField) return 'text';
  if (field instanceof PDFCheckBox) return 'checkbox';
  if (field instanceof PDFRadioGroup) return 'radio';
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) return 'choice';
  return field instanceof PDFButton ? 'button' : 'signature';
}

/** The library refuses to read rich text; its plain twin stands beside it. */
function plainText({ acroField }: PDFTextField): string {
  return textOf(acroField.dict.has(VALUE) ? acroField.dict.lookup(VALUE) : acroField.V());
}

function textIn(dictionary: PDFDict, key: PDFName): string {
  return textOf(dictionary.lookup(key));
}

function textOf(value: PDFObject | undefined): string {
  if (value instanceof PDFString && PLAIN.test(value.asString())) return value.asString();
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}

/** Fields in the form's order of calculation, or with a script of their own for it. */
function isCalculated({ ref, acroField }: LibraryField, order: ReadonlySet<PDFRef>): boolean {
  const actions = acroField.dict.lookup(ACTIONS);
  return order.has(ref) || (actions instanceof PDFDict && actions.has(CALCULATE));
}

function calculated(document: PDFDocument): ReadonlySet<PDFRef> {
  const form = document.catalog.lookup(PDFName.of('AcroForm'));
  const order = form instanceof PDFDict ? form.lookup(PDFName.of('CO')) : undefined;
  const refs = order instanceof PDFArray ? order.asArray() : [];
  return new Set(refs.filter((one) => one instanceof PDFRef));
}

/** The pages that list each annotation, from 1: two pages may share one. */
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
