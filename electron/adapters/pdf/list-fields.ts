import {
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
  PDFString,
  PDFTextField,
} from 'pdf-lib';
import type { PdfField } from '../../../shared/contract/templates.ts';

/** The form's fields in its own order; two fields of one name are one to a person. */
export function listFields(document: PDFDocument): readonly PdfField[] {
  const pages = pagesOfWidgets(document);
  const fields = new Map<string, PdfField>();
  for (const field of fieldsOf(document)) {
    const name = field.getName();
    if (!fields.has(name)) fields.set(name, describe(field, pages));
  }
  return [...fields.values()];
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
  return hasOptions ? field.getOptions() : undefined;
}

function describe(field: LibraryField, pages: ReadonlyMap<PDFDict, number>): PdfField {
  const options = optionsOf(field);
  const maxLength = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const widget = field.acroField.getWidgets().find(({ dict }) => pages.has(dict));
  return {
    name: field.getName(),
    type: typeOf(field),
    // A field that is drawn nowhere belongs to the document, which starts on page 1.
    page: (widget && pages.get(widget.dict)) ?? 1,
    value: valueOf(field),
    ...(options === undefined ? {} : { options: [...options] }),
    ...(maxLength === undefined ? {} : { maxLength }),
    multiline: field instanceof PDFTextField && field.isMultiline(),
    required: field.isRequired(),
    readOnly: field.isReadOnly(),
  };
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
  const value = field.acroField.dict.lookup(PDFName.of('V'));
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
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
