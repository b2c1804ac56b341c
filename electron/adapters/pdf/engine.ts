import { createHash } from 'node:crypto';
import { PDFButton, type PDFDocument, type PDFField, PDFName, PDFSignature } from 'pdf-lib';
import type { PdfForm, PdfValues } from '../../../shared/model/pdf-form.ts';
import { AppError } from '../../../shared/errors.ts';
import type { MergedPdf } from '../../core/templates/ports.ts';
import { FlatForm } from './compiled-form.ts';
import { drawField, fillField, needsPictures } from './fill-field.ts';
import { fieldsByName, type FieldsByName, fitValues, unfilledOf } from './fit-values.ts';
import { createLetters } from './letters.ts';
import { fieldsOf, listFields, nameOf } from './list-fields.ts';
import { noticesOf } from './notices.ts';
import { type OpenPdf, openPdf } from './open-pdf.ts';

/** What is done with PDFs, in the process it is called in; see `forms.ts`. */
export interface PdfEngine {
  read(data: Uint8Array): Promise<PdfForm>;
  merge(data: Uint8Array, values: PdfValues, flatten: boolean): Promise<MergedPdf>;
  /** The number by which the compiled form is filled from then on. */
  compile(data: Uint8Array, letters: readonly string[]): Promise<Compiled>;
  fill(form: number, values: PdfValues): Promise<MergedPdf>;
  close(form: number): void;
}

interface Compiled {
  readonly number: number;
  readonly form: PdfForm;
}

interface Kept {
  readonly digest: string;
  readonly flat: FlatForm;
}

export function createPdfEngine(): PdfEngine {
  const compiled = new Map<number, FlatForm>();
  let count = 0;
  /** The form filled last: a preview fills the same one again and again. */
  let last: Kept | null = null;

  const flatten = async (data: Uint8Array): Promise<FlatForm> => {
    const digest = createHash('sha256').update(data).digest('hex');
    if (last?.digest === digest) return last.flat;
    const { flat } = await compileForm(data);
    last = { digest, flat };
    return flat;
  };

  return {
    read,
    async merge(data, values, isFlat) {
      if (isFlat) return (await flatten(data)).fill(values);
      return mergeOpen(data, values);
    },
    async compile(data, letters) {
      const { flat, form } = await compileForm(data);
      await flat.prepare(letters);
      count += 1;
      compiled.set(count, flat);
      return { number: count, form };
    },
    async fill(number, values) {
      const flat = compiled.get(number);
      if (flat === undefined) throw new Error('The compiled form was closed');
      return flat.fill(values);
    },
    close: (number) => void compiled.delete(number),
  };
}

function read(data: Uint8Array): Promise<PdfForm> {
  return readable(async () => formOf(await openPdf(data)));
}

function formOf(opened: OpenPdf): PdfForm {
  const { document } = opened;
  const all = fieldsOf(document);
  const named = all.filter((field) => nameOf(field) !== '');
  const fields = [...listFields(document, named)];
  const hasUnnamed = all.some((field) => nameOf(field) === '' && isFillable(field));
  const counts = { held: named.length, hasUnnamed };
  return { pages: document.getPageCount(), fields, notices: noticesOf(opened, fields, counts) };
}

function isFillable(field: PDFField): boolean {
  return !(field instanceof PDFSignature || field instanceof PDFButton);
}

function compileForm(data: Uint8Array): Promise<{ flat: FlatForm; form: PdfForm }> {
  return readable(async () => {
    const opened = await openPdf(data);
    refuseFixed(opened);
    const form = formOf(opened);
    return { flat: await FlatForm.of(opened.document, form), form };
  });
}

/** Fills a form that stays a form. */
function mergeOpen(data: Uint8Array, values: PdfValues): Promise<MergedPdf> {
  return readable(async () => {
    const opened = await openPdf(data);
    refuseFixed(opened);
    const { document } = opened;
    const known = listFields(document);
    const fields = fieldsByName(known);
    const fitted = fitValues(fields, values);
    await fillAll(document, fields, fitted);
    const merged = await document.save({ updateFieldAppearances: false, addDefaultPage: false });
    const filled = [...fitted.values()].filter((value) => value !== '').length;
    return { data: merged, filled, unfilled: unfilledOf(known, fitted) };
  });
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

async function fillAll(
  document: PDFDocument,
  fields: FieldsByName,
  values: ReadonlyMap<string, string | boolean>,
): Promise<void> {
  const isAsked = needsPictures(document);
  const letters = await createLetters(document, values.values());
  let isLeft = false;
  for (const field of fieldsOf(document)) {
    const name = nameOf(field);
    const value = values.get(name);
    const described = fields.get(name);
    if (value !== undefined && described !== undefined) {
      fillField(field, { value, described }, letters);
    } else if (!drawField(field, letters, isAsked)) isLeft = true;
  }
  // Every field has its picture now; a viewer that drew anew would choose fonts by itself.
  const form = document.getForm().acroForm.dict;
  if (!isAsked || !isLeft) form.delete(PDFName.of('NeedAppearances'));
  // Adobe's usage rights cover the bytes as they were, and would be called broken.
  document.catalog.delete(PDFName.of('Perms'));
}

/** Forms that break the format in ways the library stumbles over are refused by name. */
async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid', 'The form in the PDF cannot be read', {
      reason: 'pdf-damaged',
      cause: error,
    });
  }
}
