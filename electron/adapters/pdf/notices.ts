import {
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import type { PdfField, PdfNotice } from '../../../shared/model/pdf-form.ts';
import { boxIn } from './dict-values.ts';
import type { OpenPdf } from './open-pdf.ts';

/**
 * Maximum side of a page in points: two hundred inches, the largest page that viewers must support
 * (PDF 1.7, annex C).
 */
const MAX_PAGE_SIDE = 14_400;
const ACTION_TYPES = new Set([
  '/JavaScript',
  '/Launch',
  '/ImportData',
  '/SubmitForm',
  '/Rendition',
]);
const ACTIVE_PARTS = new Set(['/RichMedia', '/Movie', '/Sound', '/Screen', '/3D']);
/** Viewers include these fonts, so few files embed them. */
const STANDARD_FONT_NAME =
  /^\/(?:[A-Z]{6}\+)?(?:Helvetica|Times|Courier|Symbol|ZapfDingbats|Arial)/;
const FILE_URL = /^file:/i;
const key = (name: string) => PDFName.of(name);
const EMBEDDED_FONT_FILE_KEYS = ['FontFile', 'FontFile2', 'FontFile3'].map(key);
// Constants, because they are looked up in every dictionary, and pdf-lib searches each new name for
// escapes.
const ACTION = key('S');
const SUBTYPE = key('Subtype');
const TYPE = key('Type');
const EMBEDDED_FILE_KEY = key('EF');

/**
 * Returns facts about a PDF that a person should know before sending it; none of them prevents
 * sending.
 *
 * @param held number of fields with a name; fields with the same name are counted separately
 * @param hasUnnamed whether there are fields without a name, which cannot be filled
 */
export function noticesOf(
  opened: OpenPdf,
  fields: readonly PdfField[],
  { held, hasUnnamed }: { readonly held: number; readonly hasUnnamed: boolean },
): PdfNotice[] {
  const { document } = opened;
  const found = new Set<PdfNotice>();
  if (fields.length === 0) found.add('no-fields');
  if (opened.hasXfa) found.add('xfa');
  if (opened.isSigned) found.add('already-signed');
  if (opened.isOwnerLocked) found.add('owner-locked');
  if (opened.startsLate) found.add('late-start');
  if (opened.hasStrayFields || hasUnnamed) found.add('stray-fields');
  if (held > fields.length) found.add('shared-names');
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict) inspectDictionary(object, found, true);
    else if (object instanceof PDFStream) inspectDictionary(object.dict, found, false);
  }
  if (document.catalog.has(key('OCProperties'))) found.add('hidden-parts');
  inspectPages(document, found);
  return [...found];
}

/**
 * Inspects a dictionary and those within it: actions occur in annotations and pages as often as in
 * separate objects.
 */
function inspectDictionary(dictionary: PDFDict, found: Set<PdfNotice>, isDeep: boolean): void {
  const action = nameIn(dictionary, ACTION);
  if (ACTION_TYPES.has(action)) found.add('active-content');
  if (action === '/URI' && FILE_URL.test(textOf(dictionary.get(key('URI'))))) {
    found.add('active-content');
  }
  if (ACTIVE_PARTS.has(nameIn(dictionary, SUBTYPE))) found.add('active-content');
  if (dictionary.has(EMBEDDED_FILE_KEY)) found.add('embedded-files');
  if (nameIn(dictionary, TYPE) === '/Font' && isFontMissing(dictionary)) found.add('fonts-missing');
  if (!isDeep) return;
  for (const value of dictionary.values())
    if (value instanceof PDFDict) inspectDictionary(value, found, true);
}

function isFontMissing(font: PDFDict): boolean {
  const kind = nameIn(font, SUBTYPE);
  if (kind === '/Type0' || kind === '/Type3') return false;
  const descriptor = font.lookup(key('FontDescriptor'));
  const isHere =
    descriptor instanceof PDFDict && EMBEDDED_FONT_FILE_KEYS.some((file) => descriptor.has(file));
  return !isHere && !STANDARD_FONT_NAME.test(nameIn(font, key('BaseFont')));
}

function inspectPages(document: PDFDocument, found: Set<PdfNotice>): void {
  for (const page of document.getPages()) {
    const { width, height } = page.getMediaBox();
    if (Math.max(width, height) > MAX_PAGE_SIDE) found.add('unusual-size');
    const crop = page.getCropBox();
    const annotations = page.node.Annots();
    for (let at = 0; at < (annotations?.size() ?? 0); at += 1) {
      const one = annotations?.lookup(at);
      if (one instanceof PDFDict && isOutside(one, crop)) found.add('hidden-parts');
    }
  }
}

type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

function isOutside(annotation: PDFDict, crop: Rectangle): boolean {
  const numbers = boxIn(annotation, 'Rect');
  if (numbers === null) return false;
  const [left, bottom, right, top] = numbers;
  if (left === right && bottom === top) return false;
  return (
    right < crop.x || left > crop.x + crop.width || top < crop.y || bottom > crop.y + crop.height
  );
}

function nameIn(dictionary: PDFDict, name: PDFName): string {
  const value = dictionary.get(name);
  return value instanceof PDFName ? value.asString() : '';
}

function textOf(value: PDFObject | undefined): string {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}
