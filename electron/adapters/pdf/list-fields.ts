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
  PDFOptionList,
  PDFRadioGroup,
  PDFRef,
  PDFString,
  PDFTextField,
} from 'pdf-lib';
import type { PdfField, PdfWidget } from '../../../shared/contract/pdf-form.ts';

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
  const nameOf = createNames();
  const fields = new Map<string, PdfField>();
  for (const field of held) {
    const name = nameOf(field);
    const known = fields.get(name);
    const places = placesOf(field, pages);
    if (known === undefined) fields.set(name, { name, ...describe(field, places, order) });
    else fields.set(name, { ...known, places: [...(known.places ?? []), ...places] });
  }
  return [...fields.values()];
}

/** As pdf-lib's own, which reads the names of the groups that a field stands in anew for each. */
function createNames(): (field: LibraryField) => string {
  const known = new Map<PDFDict, string>();
  const nameOf = (field: PDFAcroField): string => {
    const found = known.get(field.dict);
    if (found !== undefined) return found;
    const parent = field.getParent();
    const own = String(field.getPartialName());
    const name = parent === undefined ? own : `${nameOf(parent)}.${own}`;
    known.set(field.dict, name);
    return name;
  };
  return (field) => (field.acroField.getParent() ? nameOf(field.acroField) : field.getName());
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
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    return field.getSelected().join(', ');
  }
  return '';
}

/** The values a field accepts, or undefined when any text will do. */
export function optionsOf(field: LibraryField): readonly string[] | undefined {
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
  places: PdfWidget[],
  order: ReadonlySet<PDFRef>,
): Omit<PdfField, 'name'> {
  const options = optionsOf(field);
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
    ...(maxLength === undefined ? {} : { maxLength }),
    multiline: isText && has(AcroTextFlags.Multiline),
    required: has(AcroFieldFlags.Required),
    readOnly: has(AcroFieldFlags.ReadOnly),
    ...(isText && has(AcroTextFlags.Comb) && field.isCombed() ? { comb: true } : {}),
    ...(isCalculated(field, order) ? { calculated: true } : {}),
    ...(field instanceof PDFDropdown && has(AcroChoiceFlags.Edit) ? { editable: true } : {}),
    ...(label === '' ? {} : { label }),
    places,
  };
}

function placesOf(field: LibraryField, pages: ReadonlyMap<PDFDict, number>): PdfWidget[] {
  const hasStates = field instanceof PDFCheckBox || field instanceof PDFRadioGroup;
  return field.acroField.getWidgets().flatMap((widget): PdfWidget[] => {
    const page = pages.get(widget.dict);
    if (page === undefined) return [];
    const { x, y, width, height } = widget.getRectangle();
    const onValue = hasStates ? widget.getOnValue()?.decodeText() : undefined;
    const box = {
      x: Math.min(x, x + width),
      y: Math.min(y, y + height),
      width: Math.abs(width),
      height: Math.abs(height),
    };
    return [{ page, box, ...(onValue === undefined ? {} : { onValue }) }];
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
function plainText(field: PDFTextField): string {
  return textIn(field.acroField.dict, VALUE);
}

function textIn(dictionary: PDFDict, key: PDFName): string {
  const value = dictionary.lookup(key);
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

function pagesOfWidgets(document: PDFDocument): ReadonlyMap<PDFDict, number> {
  const pages = new Map<PDFDict, number>();
  document.getPages().forEach((page, index) => {
    const annotations = page.node.Annots();
    for (let at = 0; at < (annotations?.size() ?? 0); at += 1) {
      const annotation = annotations?.lookup(at);
      if (annotation instanceof PDFDict) pages.set(annotation, index + 1);
    }
  });
  return pages;
}
