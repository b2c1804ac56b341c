import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib';

/** Annotation flags of PDF 1.7, 12.5.3: not to be shown on a screen. */
const HIDDEN = 2;
const NO_VIEW = 32;

type Box = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Makes every field's picture part of its page and removes the form. The library's own flattening
 * stops at fields without a picture and leaves references to removed ones behind.
 */
export function flattenForm(document: PDFDocument): void {
  for (const page of document.getPages()) {
    const annotations = page.node.Annots();
    for (let at = (annotations?.size() ?? 0) - 1; at >= 0; at -= 1) {
      const widget = annotations?.lookup(at);
      if (!(widget instanceof PDFDict) || !isWidget(widget)) continue;
      annotations?.remove(at);
      if (isShown(widget)) stamp(page, widget, document);
    }
  }
  document.catalog.delete(PDFName.of('AcroForm'));
}

function isWidget(annotation: PDFDict): boolean {
  return annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}

function isShown(widget: PDFDict): boolean {
  const flags = widget.lookupMaybe(PDFName.of('F'), PDFNumber)?.asNumber() ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0;
}

function stamp(page: PDFPage, widget: PDFDict, document: PDFDocument): void {
  const picture = pictureOf(widget);
  const target = boxOf(widget, 'Rect');
  if (picture === null || target === null) return;
  const stream = document.context.lookup(picture);
  if (!(stream instanceof PDFStream)) return;
  // Some writers leave these out; as a part of the page they are required.
  stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
  stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
  const source = transformed(boxOf(stream.dict, 'BBox') ?? target, numbers(stream.dict, 'Matrix'));
  const scaleX = ratio(target[2] - target[0], source[2] - source[0]);
  const scaleY = ratio(target[3] - target[1], source[3] - source[1]);
  const moveX = target[0] - source[0] * scaleX;
  const moveY = target[1] - source[1] * scaleY;
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(scaleX, 0, 0, scaleY, moveX, moveY),
    drawObject(page.node.newXObject('Field', picture)),
    popGraphicsState(),
  );
}

/** The normal appearance, of the current state where there are several (PDF 1.7, 12.5.5). */
function pictureOf(widget: PDFDict): PDFRef | null {
  const appearances = widget.lookupMaybe(PDFName.of('AP'), PDFDict);
  const normal = appearances?.get(PDFName.of('N'));
  if (appearances?.lookup(PDFName.of('N')) instanceof PDFStream) {
    return normal instanceof PDFRef ? normal : null;
  }
  const states = appearances?.lookupMaybe(PDFName.of('N'), PDFDict);
  const state = widget.lookup(PDFName.of('AS'));
  const chosen = state instanceof PDFName ? states?.get(state) : undefined;
  return chosen instanceof PDFRef ? chosen : null;
}

function boxOf(dictionary: PDFDict, key: string): Box | null {
  const [a, b, c, d] = numbers(dictionary, key);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function numbers(dictionary: PDFDict, key: string): readonly number[] {
  const values = dictionary.lookup(PDFName.of(key));
  if (!(values instanceof PDFArray)) return [];
  return values
    .asArray()
    .map((_, at) => values.lookup(at))
    .flatMap((value) => (value instanceof PDFNumber ? [value.asNumber()] : []));
}

/** The upright box around a box that was turned by a PDF matrix. */
function transformed(box: Box, matrix: readonly number[]): Box {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const corners = [box[0], box[2]].flatMap((x) => [box[1], box[3]].map((y) => [x, y] as const));
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function ratio(target: number, source: number): number {
  return source === 0 ? 1 : target / source;
}
