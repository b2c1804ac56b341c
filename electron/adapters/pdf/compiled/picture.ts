import { PDFDict, PDFStream, type PDFWidgetAnnotation } from 'pdf-lib';
import { type Box, boxIn, numbersIn } from '../dict-values.ts';
import { textOf } from './parts.ts';
import { toPdfNumber } from '../text/text-frame.ts';

/**
 * Body of a form XObject, one character per byte, that draws a widget at its position on the page.
 */
export type Picture = string;

type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY_PICTURE_MATRIX: Matrix = [1, 0, 0, 1, 0, 0];
/** Encoding of an appearance's bytes as text: one character per byte. */
const BYTE_ENCODING = 'latin1';
/** Precision in fractions of a point, finer than any printer. */
const FACTOR_PRECISION = 100_000;
/** Tolerance for calculated values. */
const ROUNDING_TOLERANCE = 1e-9;
/** Decimal places; an appearance may use millionths of a point. */
const DECIMAL_PLACES = 12;
const EMPTY_BOX = '/BBox [0 0 0 0]';

/** Appearance that draws nothing, for a widget without an appearance for its state. */
export const EMPTY_PICTURE: Picture = `<</Type/XObject/Subtype/Form${EMPTY_BOX}/Length 0>>\nstream\n\nendstream`;

/**
 * Returns the start of the appearance of a text field, which ends before the value of `/Length`.
 */
export function textPictureHead(widget: PDFWidgetAnnotation, resources: string): string {
  const { x, y, width, height } = widget.getRectangle();
  const box = `/BBox [0 0 ${toPdfNumber(width)} ${toPdfNumber(height)}]`;
  const place = `/Matrix [1 0 0 1 ${toPdfNumber(x)} ${toPdfNumber(y)}]`;
  return `<</Type/XObject/Subtype/Form${box}${place}/Resources ${resources}/Length `;
}

export function textPicture(head: string, operators: string): Picture {
  return `${head}${operators.length}>>\nstream\n${operators}\nendstream`;
}

/**
 * Moves an appearance of the form to its widget (PDF 1.7, 12.5.5): the bounding box, transformed by
 * its own matrix, is scaled to the box of the widget.
 */
export function positionedPicture(stream: PDFStream, widget: PDFDict): Picture {
  const target = boxIn(widget, 'Rect');
  const held = boxIn(stream.dict, 'BBox');
  // Without a BBox, viewers do not show an appearance.
  if (target === null || held === null) return EMPTY_PICTURE;
  const own = matrixIn(stream.dict);
  const source = transformedBox(held, own);
  const scaleX = scaleRatio(target[2] - target[0], source[2] - source[0]);
  const scaleY = scaleRatio(target[3] - target[1], source[3] - source[1]);
  const moveX = target[0] - source[0] * scaleX;
  const moveY = target[1] - source[1] * scaleY;
  const [a, b, c, d, e, f] = own;
  const placed = [
    ...[a * scaleX, b * scaleY, c * scaleX, d * scaleY],
    ...[e * scaleX + moveX, f * scaleY + moveY],
  ];
  const contents = stream.getContents();
  const kept = [...stream.dict.entries()].filter(([key]) => !REPLACED_KEYS.has(key.asString()));
  const entries = kept.map(([key, value]) => `${textOf(key)} ${textOf(value)}`).join('');
  return (
    `<</Type/XObject/Subtype/Form/Matrix [${placed.map(factorText).join(' ')}]${entries}` +
    `/Length ${contents.length}>>\nstream\n${Buffer.from(contents).toString(BYTE_ENCODING)}\nendstream`
  );
}

const REPLACED_KEYS = new Set(['/Type', '/Subtype', '/Matrix', '/Length']);

/**
 * Writes a factor. A factor of nearly zero must be written as zero, not as one part in ten billion.
 */
function factorText(value: number): string {
  const near = Math.round(value * FACTOR_PRECISION) / FACTOR_PRECISION;
  return Math.abs(value - near) < ROUNDING_TOLERANCE
    ? toPdfNumber(near)
    : value.toFixed(DECIMAL_PLACES);
}

function matrixIn(dictionary: PDFDict): Matrix {
  const [a, b, c, d, e, f] = numbersIn(dictionary, 'Matrix');
  if (a === undefined || b === undefined || c === undefined) return IDENTITY_PICTURE_MATRIX;
  if (d === undefined || e === undefined || f === undefined) return IDENTITY_PICTURE_MATRIX;
  return [a, b, c, d, e, f];
}

/** Returns the bounding box of a box transformed by a PDF matrix. */
function transformedBox(box: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [box[0], box[2]].flatMap((x) => [box[1], box[3]].map((y) => [x, y] as const));
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function scaleRatio(target: number, source: number): number {
  return source === 0 ? 1 : target / source;
}
