import { createHash } from 'node:crypto';
import {
  AcroChoiceFlags,
  AcroFieldFlags,
  AcroTextFlags,
  PDFArray,
  PDFCheckBox,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  type PDFRef,
  PDFStream,
  PDFString,
  StandardFonts,
} from 'pdf-lib';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import {
  type FontFace,
  MIN_FIELD_SIDE,
  type PlacedField,
  PlacedFields,
  type PlacedKind,
} from '../../../shared/model/placed-field.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import { STANDARD_FACES } from './text/faces.ts';
import { fillField } from './fill-field.ts';
import { rejectCutTexts, textFit } from './text/text-fit.ts';
import { fieldsByName, fitValues } from './fit-values.ts';
import type { FontRegistry } from './fonts/font-registry.ts';
import { createFieldFonts, registerFont } from './letters.ts';
import { fieldsOf, listFields, nameOf } from './list-fields.ts';
import { openPdf } from './open-pdf.ts';
import { addRevision, lastRevision } from './revision.ts';
import { sizeIn } from './text/text-frame.ts';

const key = (name: string) => PDFName.of(name);
const FORM = key('AcroForm');
const FIELDS = key('Fields');
const KIDS = key('Kids');
const ANNOTATIONS = key('Annots');
const DEFAULT_APPEARANCE_KEY = key('DA');
/**
 * Private entry in the form dictionary: the fields that this program placed, and the file without
 * them.
 */
const PLACED_FIELDS_KEY = key('SigningDesk');
const LENGTH = key('Length');
const DIGEST = key('Digest');
const DRAWN_FIELDS_KEY = key('Fields');
/** Name under which viewers look up the font for check marks. */
const CHECK_MARK_FONT = 'ZaDb';
/** Annotation flag: printed (PDF 1.7, 12.5.3). */
const PRINT_FLAG = 4;

interface PlacedFieldsInfo {
  /** The file without the placed fields. */
  readonly source: Uint8Array;
  readonly fields: readonly PlacedField[];
}

/**
 * Returns the fields that this program placed, and the file without them. Null for other PDFs, and
 * if another program has rewritten the file: its fields are then ordinary form fields.
 */
export function readPlacedFields(data: Uint8Array, document: PDFDocument): PlacedFieldsInfo | null {
  const form = document.catalog.lookup(FORM);
  const note = form instanceof PDFDict ? form.lookup(PLACED_FIELDS_KEY) : undefined;
  if (!(note instanceof PDFDict)) return null;
  const [length, digest, drawn] = [
    note.lookup(LENGTH),
    note.lookup(DIGEST),
    note.lookup(DRAWN_FIELDS_KEY),
  ];
  if (!(length instanceof PDFNumber) || !(digest instanceof PDFHexString)) return null;
  if (!(drawn instanceof PDFHexString)) return null;
  const source = data.subarray(0, length.asNumber());
  if (digest.asString() !== digestOf(source)) return null;
  const fields = PlacedFields.safeParse(jsonOf(drawn.decodeText()));
  return fields.success ? { source, fields: fields.data } : null;
}

/**
 * Adds to a form's fields the properties of the placed fields that the PDF format cannot express.
 */
export function withPlacedDetails(
  fields: readonly PdfField[],
  placed: readonly PlacedField[],
): PdfField[] {
  const drawn = new Map(placed.map((one) => [one.name, one]));
  return fields.map((field) => {
    const { kind, format = 'yyyy-MM-dd', number } = drawn.get(field.name) ?? {};
    if (kind === 'date') return { ...field, day: format };
    return kind === 'number' && number !== undefined ? { ...field, number } : field;
  });
}

/**
 * Returns the PDF with these fields as its form; they replace the fields placed earlier. The bytes
 * of the file stay unchanged, and the form is appended as a revision. Throws 'invalid' with
 * 'pdf-signed', 'pdf-xfa', 'pdf-restricted', 'placed-name' for a name that two fields have or that
 * is in the file's own form, 'placed-outside' for a position outside its page, 'placed-options' for
 * a choice without options, and 'pdf-not-appendable' if the file's own index is broken; also
 * everything that `openPdf` throws.
 */
export async function placeFields(
  data: Uint8Array,
  fields: readonly PlacedField[],
  shelf: FontRegistry,
): Promise<Uint8Array> {
  const source = readPlacedFields(data, (await openPdf(data)).document)?.source ?? data;
  if (fields.length === 0) return source;
  const opened = await openPdf(source);
  if (opened.hasXfa) {
    throw placedFieldError('pdf-xfa', 'The PDF is an XFA form, so fields cannot be added to it');
  }
  if (opened.isSigned) {
    throw placedFieldError(
      'pdf-signed',
      'The PDF is already signed, so fields cannot be added to it',
    );
  }
  if (opened.isOwnerLocked) {
    // A revision would have to be encrypted with the file's key.
    throw placedFieldError('pdf-restricted', 'Fields cannot be added to an encrypted PDF');
  }
  const last = opened.startsLate ? null : lastRevision(source);
  if (last === null) {
    throw placedFieldError(
      'pdf-not-appendable',
      'The index of the PDF is broken, so nothing can be added to it. Print it to a new PDF and use that one',
    );
  }
  const { document } = opened;
  const { context } = document;
  context.largestObjectNumber = Math.max(context.largestObjectNumber, last.size - 1);
  const before = writtenObjects(document);
  checkFields(document, fields);
  await writePlacedFields(document, fields, source, shelf);
  const changed = [...writtenObjects(document)].filter(([ref, text]) => before.get(ref) !== text);
  return addRevision(
    source,
    last,
    context,
    changed.map(([ref]) => ref),
  );
}

/**
 * Returns the objects as they would be written. Of a stream it returns only the dictionary: no
 * stream is changed, some are added.
 */
function writtenObjects({ context }: PDFDocument): ReadonlyMap<PDFRef, string> {
  const objects = context.enumerateIndirectObjects();
  return new Map(
    objects.map(([ref, object]) => [
      ref,
      object instanceof PDFStream ? object.dict.toString() : object.toString(),
    ]),
  );
}

function checkFields(document: PDFDocument, fields: readonly PlacedField[]): void {
  const names = new Set(fieldsOf(document).map(nameOf));
  const pages = document.getPages();
  for (const { name, kind, options, places } of fields) {
    if (names.has(name))
      throw placedFieldError(
        'placed-name',
        `Two fields are named "${name}". Rename one of them`,
        name,
      );
    names.add(name);
    if (kind === 'choice' && options.length === 0) {
      throw placedFieldError(
        'placed-options',
        `The field "${name}" has no options to choose from. Add options`,
        name,
      );
    }
    for (const { page, box } of places) {
      const found = pages[page - 1];
      if (found === undefined || !isBoxOnPage(found, box)) {
        throw placedFieldError(
          'placed-outside',
          `The field "${name}" is outside page ${page}`,
          name,
        );
      }
    }
  }
}

type Box = PlacedField['places'][number]['box'];

/** Whether a box is completely on the visible part of the page, with a tolerance for rounding. */
function isBoxOnPage(page: PDFPage, { x, y, width, height }: Box): boolean {
  const shown = page.getCropBox();
  return (
    width >= MIN_FIELD_SIDE &&
    height >= MIN_FIELD_SIDE &&
    x >= shown.x - 1 &&
    y >= shown.y - 1 &&
    x + width <= shown.x + shown.width + 1 &&
    y + height <= shown.y + shown.height + 1
  );
}

/** Adds the form to the document, and records the placed fields and their source file. */
async function writePlacedFields(
  document: PDFDocument,
  fields: readonly PlacedField[],
  source: Uint8Array,
  shelf: FontRegistry,
): Promise<void> {
  const { context } = document;
  const form = document.getForm().acroForm.dict;
  for (const field of fields) addPlacedField(document, form, field);
  if (!form.has(DEFAULT_APPEARANCE_KEY)) form.set(DEFAULT_APPEARANCE_KEY, defaultAppearance(null));
  if (fields.some(({ kind }) => isSignature(kind))) form.set(key('SigFlags'), PDFNumber.of(1));
  await drawPlacedFields(document, fields, shelf);
  await document.flush();
  form.set(
    PLACED_FIELDS_KEY,
    context.obj({
      Length: source.length,
      Digest: PDFHexString.of(digestOf(source)),
      Fields: PDFHexString.fromText(JSON.stringify(fields)),
    }),
  );
}

/** Adds a field with its widgets to the form's list and to its pages. */
function addPlacedField(document: PDFDocument, form: PDFDict, placed: PlacedField): void {
  const { context } = document;
  const field = context.obj({ T: PDFHexString.fromText(placed.name) });
  for (const [name, value] of entriesOf(placed, context)) field.set(key(name), value);
  const ref = context.register(field);
  listIn(form, FIELDS).push(ref);
  const pages = document.getPages();
  for (const { page, box } of placed.places) {
    const shown = pages[page - 1];
    if (shown === undefined) throw new Error(`There is no page ${page}`);
    const turned = ((shown.getRotation().angle % 360) + 360) % 360;
    const widget = context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      F: PRINT_FLAG,
      P: shown.ref,
      Parent: ref,
      Rect: [box.x, box.y, box.x + box.width, box.y + box.height],
      // Texts follow the rotation of the page.
      ...(turned !== 0 && { MK: { R: turned } }),
    });
    const own = context.register(widget);
    listIn(field, KIDS).push(own);
    listIn(shown.node, ANNOTATIONS).push(own);
  }
}

/** Returns the dictionary entries of a field (PDF 1.7, 12.7.4). */
function entriesOf(
  { kind, label, required, font, fontSize, align, maxLength, options }: PlacedField,
  context: PDFContext,
): readonly (readonly [string, PDFObject])[] {
  const flags = required ? AcroFieldFlags.Required : 0;
  const common = label === '' ? [] : [['TU', PDFHexString.fromText(label)] as const];
  const text = [
    ['DA', defaultAppearance(fontSize, font)],
    ['Q', PDFNumber.of(ALIGNMENT_NUMBERS[align])],
  ] as const;
  const of = (type: string, own = 0) =>
    [...common, ['FT', key(type)], ['Ff', PDFNumber.of(flags | own)]] as const;
  if (isSignature(kind)) return of('Sig');
  if (kind === 'checkbox') return of('Btn');
  if (kind === 'choice') {
    const list = context.obj(options.map((option) => PDFHexString.fromText(option)));
    return [...of('Ch', AcroChoiceFlags.Combo), ...text, ['Opt', list]];
  }
  const most = maxLength === null ? [] : [['MaxLen', PDFNumber.of(maxLength)] as const];
  return [...of('Tx', kind === 'lines' ? AcroTextFlags.Multiline : 0), ...text, ...most];
}

const ALIGNMENT_NUMBERS = { left: 0, center: 1, right: 2 } as const;

const defaultAppearance = (size: number | null, face: FontFace = 'sans'): PDFString =>
  PDFString.of(`/${STANDARD_FACES[face]} ${size ?? 0} Tf 0 g`);

const isSignature = (kind: PlacedKind): boolean =>
  kind === 'signature' || kind === 'initials' || kind === 'seal';

/** Draws every field, because a viewer would choose other fonts. */
async function drawPlacedFields(
  document: PDFDocument,
  placed: readonly PlacedField[],
  shelf: FontRegistry,
): Promise<void> {
  const letters = await createFieldFonts(
    document,
    placed.map(({ value }) => value),
    shelf,
  );
  const fields = new Map(fieldsOf(document).map((field) => [nameOf(field), field]));
  if (placed.some(({ kind }) => kind === 'checkbox')) {
    const marks = await document.embedFont(StandardFonts.ZapfDingbats);
    registerFont(document, marks, CHECK_MARK_FONT);
  }
  // A checkbox has no state to describe until it has its appearances.
  for (const field of fields.values()) {
    if (field instanceof PDFCheckBox && field.needsAppearancesUpdate()) field.updateAppearances();
  }
  const described = fieldsByName(withPlacedDetails(listFields(document), placed));
  for (const { name, kind, value, font } of placed) {
    const [field, known] = [fields.get(name), described.get(name)];
    if (field === undefined || known === undefined || isSignature(kind)) continue;
    const fitted = fitValues(described, { [name]: value }).get(name) ?? '';
    const fit = textFit(name, fillField(field, { value: fitted, described: known }, letters));
    if (fit !== null) rejectCutTexts([fit]);
    // A default value may be drawn in another font; values entered later may not need it.
    const { acroField } = field;
    const size = sizeIn(acroField.getDefaultAppearance());
    if (font !== undefined && size !== undefined)
      acroField.dict.set(DEFAULT_APPEARANCE_KEY, defaultAppearance(size, font));
  }
  await letters.write();
}

/** Returns the array of a dictionary entry, direct or referenced; creates it if missing. */
function listIn(parent: PDFDict, name: PDFName): PDFArray {
  const found = parent.lookup(name);
  if (found instanceof PDFArray) return found;
  const made = PDFArray.withContext(parent.context);
  parent.set(name, made);
  return made;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const digestOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

function placedFieldError(reason: ErrorReason, message: string, field?: string): AppError {
  const fields = field === undefined ? undefined : { [field]: message };
  return new AppError('invalid', message, { reason, ...(fields !== undefined && { fields }) });
}
