import { createHash } from 'node:crypto';
import { PDFButton, PDFDocument, type PDFField, PDFName, PDFSignature } from 'pdf-lib';
import type { PdfForm, PdfValues } from '../../../shared/model/pdf-form.ts';
import type { PageGuides } from '../../../shared/model/page-guides.ts';
import type { FoundPlace, PlacedField } from '../../../shared/model/placed-field.ts';
import { AppError, type TextFit } from '../../../shared/errors.ts';
import { type CarriedPlaces, carryPlaces } from '../../../shared/rules/forms/carry-places.ts';
import { findTurnedPlaces } from '../../../shared/rules/forms/turned-places.ts';
import { guidesOf } from '../../../shared/rules/forms/page-guides.ts';
import type { FieldText, UndrawableCharacter } from '../../core/ports.ts';
import type { MergedPdf } from '../../core/templates/ports.ts';
import { FlatForm } from './compiled/compiled-form.ts';
import { drawField, fillField, needsPictures } from './fill-field.ts';
import { createFontRegistry, type FontRegistry } from './fonts/font-registry.ts';
import { fieldsByName, type FieldsByName, fitValues, unfilledFieldNames } from './fit-values.ts';
import { createFieldFonts } from './letters.ts';
import { fieldsOf, listFields, nameOf } from './list-fields.ts';
import { missingCharacter } from './text/missing-letter.ts';
import { noticesOf } from './notices.ts';
import { type OpenPdf, openPdf } from './open-pdf.ts';
import { rejectCutTexts, textFit } from './text/text-fit.ts';
import { narrowPens, FontFallback } from './text/font-fallback.ts';
import { withPlacedDetails, readPlacedFields, placeFields } from './place-fields.ts';
import { EXCESS_COMBINING_MARKS } from '../../../shared/rules/text/long-marks.ts';

/** PDF operations in the calling process; see `forms.ts`. */
export interface PdfEngine {
  read(data: Uint8Array): Promise<PdfForm>;
  /** Finds places that look like unfilled fields; `report` is called for each page. */
  find(data: Uint8Array, report: ReportPages): Promise<readonly FoundPlace[]>;
  /** Returns lines for aligning fields, page by page. */
  guides(data: Uint8Array): Promise<PageGuides[]>;
  /** See `carryPlaces`. */
  carry(
    before: Uint8Array,
    after: Uint8Array,
    fields: readonly PlacedField[],
  ): Promise<CarriedPlaces>;
  /** See `placeFields`. */
  place(data: Uint8Array, fields: readonly PlacedField[]): Promise<Uint8Array>;
  merge(data: Uint8Array, values: PdfValues, flatten: boolean): Promise<MergedPdf>;
  missingLetters(texts: readonly string[]): Promise<readonly (UndrawableCharacter | null)[]>;
  /** See `PdfForms`. */
  textFits(data: Uint8Array, values: readonly FieldText[]): Promise<readonly (TextFit | null)[]>;
  /** Compiles a form; returns the number for filling and closing it. */
  compile(data: Uint8Array, letters: readonly string[]): Promise<CompiledFormResult>;
  fill(form: number, values: PdfValues): Promise<MergedPdf>;
  close(form: number): void;
}

type ReportPages = (done: number, total: number) => void;

interface CompiledFormResult {
  readonly number: number;
  readonly form: PdfForm;
}

interface CachedForm {
  readonly digest: string;
  readonly flat: FlatForm;
}

/** Creates the engine; `folders` are the font folders of this computer. */
export function createPdfEngine(folders: readonly string[] = []): PdfEngine {
  const shelf = createFontRegistry(folders);
  const compiled = new Map<number, FlatForm>();
  let count = 0;
  /** Form that was filled last: a preview fills the same form repeatedly. */
  let last: CachedForm | null = null;

  const flatten = async (data: Uint8Array): Promise<FlatForm> => {
    const digest = createHash('sha256').update(data).digest('hex');
    if (last?.digest === digest) return last.flat;
    const { flat } = await compileForm(data, shelf);
    last = { digest, flat };
    return flat;
  };

  return {
    read: readPdfForm,
    find: (data, report) => withPdfErrors(() => findFieldPlaces(data, report)),
    guides: (data) => withPdfErrors(() => findGuides(data)),
    carry: (before, after, fields) =>
      withPdfErrors(() => carryPlacedFieldsOver(before, after, fields)),
    place: (data, fields) => withPdfErrors(() => placeFields(data, fields, shelf)),
    async merge(data, values, isFlat) {
      if (isFlat) return (await flatten(data)).fill(values);
      return mergeValues(data, values, shelf);
    },
    missingLetters: (texts) => findMissingCharacters(texts, shelf),
    async textFits(data, values) {
      try {
        return await (await flatten(data)).textFits(values);
      } catch (error) {
        // Filling reports why the form cannot be filled.
        if (error instanceof AppError) return values.map(() => null);
        throw error;
      }
    },
    async compile(data, letters) {
      const { flat, form } = await compileForm(data, shelf);
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

function readPdfForm(data: Uint8Array): Promise<PdfForm> {
  return withPdfErrors(async () => {
    const opened = await openPdf(data);
    const form = describeForm(opened);
    const placed = readPlacedFields(data, opened.document)?.fields;
    if (placed === undefined) return form;
    return { ...form, fields: withPlacedDetails(form.fields, placed), placed: [...placed] };
  });
}

/** Finds places that look like unfilled fields, except those that the form's own fields cover. */
async function findFieldPlaces(
  data: Uint8Array,
  report: ReportPages,
): Promise<readonly FoundPlace[]> {
  const { fields } = describeForm(await openPdf(data));
  // The module is imported only when needed: it is as large as everything else together.
  const { turnedMarksOf } = await import('./page-marks.ts');
  return findTurnedPlaces(await turnedMarksOf(data, report), fields);
}

async function findGuides(data: Uint8Array): Promise<PageGuides[]> {
  const { marksOf } = await import('./page-marks.ts');
  return (await marksOf(data)).map(guidesOf);
}

/**
 * Carries placed fields over to another version of the file. Compares their positions by the
 * printed content below them, not by their own appearances.
 */
async function carryPlacedFieldsOver(
  before: Uint8Array,
  after: Uint8Array,
  fields: readonly PlacedField[],
): Promise<CarriedPlaces> {
  const beneath = async (data: Uint8Array) => {
    const { document } = await openPdf(data);
    return readPlacedFields(data, document)?.source ?? data;
  };
  const held = describeForm(await openPdf(after)).fields;
  const { marksOf } = await import('./page-marks.ts');
  const [old, now] = [await marksOf(await beneath(before)), await marksOf(await beneath(after))];
  return carryPlaces(old, now, fields, held);
}

function describeForm(opened: OpenPdf): PdfForm {
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

function compileForm(
  data: Uint8Array,
  shelf: FontRegistry,
): Promise<{ flat: FlatForm; form: PdfForm }> {
  return withPdfErrors(async () => {
    const opened = await openPdf(data);
    rejectUnfillable(opened);
    const form = describeForm(opened);
    const placed = readPlacedFields(data, opened.document)?.fields ?? [];
    const described = { ...form, fields: withPlacedDetails(form.fields, placed) };
    return { flat: await FlatForm.of(opened.document, described, shelf), form: described };
  });
}

/**
 * Returns the character of each text that no font has. Prepares the fonts as merging does, so that
 * both find the same characters missing.
 */
async function findMissingCharacters(
  texts: readonly string[],
  shelf: FontRegistry,
): Promise<readonly (UndrawableCharacter | null)[]> {
  const document = await PDFDocument.create();
  const pens = new FontFallback(document, await narrowPens(document, []), shelf);
  await pens.prepare(texts);
  return texts.map((text) => {
    const missing = pens.missing(text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC'));
    return missing === null ? null : missingCharacter(missing);
  });
}

/** Fills a form that keeps its fields. */
function mergeValues(data: Uint8Array, values: PdfValues, shelf: FontRegistry): Promise<MergedPdf> {
  return withPdfErrors(async () => {
    const opened = await openPdf(data);
    rejectUnfillable(opened);
    const { document } = opened;
    const placed = readPlacedFields(data, document)?.fields ?? [];
    const known = withPlacedDetails(listFields(document), placed);
    const fields = fieldsByName(known);
    const fitted = fitValues(fields, values);
    await fillAllFields(document, fields, fitted, shelf);
    const merged = await document.save({ updateFieldAppearances: false, addDefaultPage: false });
    const filled = [...fitted.values()].filter((value) => value !== '').length;
    return { data: merged, filled, unfilled: unfilledFieldNames(known, fitted) };
  });
}

/**
 * Throws for a form that cannot be saved: saving removes the XFA part that viewers would show, and
 * breaks a signature.
 */
function rejectUnfillable({ hasXfa, isSigned }: OpenPdf): void {
  if (hasXfa) {
    throw new AppError(
      'invalid',
      'The PDF is an XFA form, which cannot be filled here. Print it to a new PDF and use that one',
      { reason: 'pdf-xfa' },
    );
  }
  if (isSigned) {
    throw new AppError(
      'invalid',
      'The PDF is already signed. Filling it would break the signature, so use the unsigned form',
      { reason: 'pdf-signed' },
    );
  }
}

async function fillAllFields(
  document: PDFDocument,
  fields: FieldsByName,
  values: ReadonlyMap<string, string | boolean>,
  shelf: FontRegistry,
): Promise<void> {
  const isAsked = needsPictures(document);
  const letters = await createFieldFonts(document, values.values(), shelf);
  const fits: TextFit[] = [];
  let isLeft = false;
  for (const field of fieldsOf(document)) {
    const name = nameOf(field);
    const value = values.get(name);
    const described = fields.get(name);
    if (value !== undefined && described !== undefined) {
      const fit = textFit(name, fillField(field, { value, described }, letters));
      if (fit !== null) fits.push(fit);
    } else if (!drawField(field, letters, isAsked)) isLeft = true;
  }
  rejectCutTexts(fits);
  await letters.write();
  // Every field has its appearance now; a viewer that redraws would choose other fonts.
  const form = document.getForm().acroForm.dict;
  if (!isAsked || !isLeft) form.delete(PDFName.of('NeedAppearances'));
  // Adobe's usage rights cover the original bytes; viewers would report them as broken.
  document.catalog.delete(PDFName.of('Perms'));
}

/** Does the work, and reports any error of the library as 'pdf-damaged'. */
async function withPdfErrors<Result>(work: () => Promise<Result>): Promise<Result> {
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
