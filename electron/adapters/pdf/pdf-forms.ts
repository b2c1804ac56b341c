import { type PDFDocument, PDFName } from 'pdf-lib';
import type { PdfForm, PdfValues } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import type { PdfForms } from '../../core/ports.ts';
import { drawField, fillField } from './fill-field.ts';
import { flattenForm } from './flatten-form.ts';
import { createLetters } from './letters.ts';
import { fieldsOf, listFields } from './list-fields.ts';
import { type OpenPdf, openPdf } from './open-pdf.ts';

export function createPdfForms(): PdfForms {
  return { read, merge };
}

async function read(data: Uint8Array): Promise<PdfForm> {
  const opened = await openPdf(data);
  const fields = readFields(opened.document);
  const notices: PdfForm['notices'] = [];
  if (fields.length === 0) notices.push('no-fields');
  if (opened.hasXfa) notices.push('xfa');
  if (opened.isSigned) notices.push('already-signed');
  return { pages: opened.document.getPageCount(), fields: [...fields], notices };
}

async function merge(
  data: Uint8Array,
  values: PdfValues,
  flatten: boolean,
): ReturnType<PdfForms['merge']> {
  const opened = await openPdf(data);
  refuseFixed(opened);
  const { document } = opened;
  const known = readFields(document);
  await fill(document, values);
  const filled = Object.entries(values).filter(([, value]) => value !== '').length;
  const unfilled = known.filter(
    ({ name, type, value, readOnly }) =>
      !readOnly && type !== 'signature' && type !== 'button' && value === '' && !values[name],
  );
  if (flatten) flattenForm(document);
  const merged = await document.save({ updateFieldAppearances: false, addDefaultPage: false });
  return { data: merged, filled, unfilled: unfilled.map(({ name }) => name) };
}

/** Saving drops the XFA part that viewers would show, and breaks a signature. */
function refuseFixed({ hasXfa, isSigned }: OpenPdf): void {
  if (hasXfa) {
    throw new AppError('invalid', 'The form is of the XFA kind, which cannot be filled here', {
      reason: 'pdf-xfa',
    });
  }
  if (isSigned) {
    throw new AppError('invalid', 'The PDF is signed already; filling it would break that', {
      reason: 'pdf-signed',
    });
  }
}

async function fill(document: PDFDocument, values: PdfValues): Promise<void> {
  const letters = createLetters(document);
  const fields = Map.groupBy(fieldsOf(document), (field) => field.getName());
  for (const [name, value] of Object.entries(values)) {
    const named = fields.get(name);
    if (named === undefined) {
      throw new AppError('invalid', `The form has no field ${name}`, {
        reason: 'pdf-no-such-field',
        fields: { [name]: 'The form has no such field' },
      });
    }
    for (const field of named) await fillField(field, value, letters);
  }
  const untouched = [...fields].filter(([name]) => !Object.hasOwn(values, name));
  for (const field of untouched.flatMap(([, named]) => named)) await drawField(field, letters);
  // Every field has its picture now; a viewer that drew anew would choose fonts by itself.
  document.getForm().acroForm.dict.delete(PDFName.of('NeedAppearances'));
  // Adobe's usage rights cover the bytes as they were, and would be called broken.
  document.catalog.delete(PDFName.of('Perms'));
}

function readFields(document: PDFDocument): PdfForm['fields'] {
  try {
    return [...listFields(document)];
  } catch (error) {
    throw new AppError('invalid', 'The form in the PDF cannot be read', {
      reason: 'pdf-damaged',
      cause: error,
    });
  }
}
