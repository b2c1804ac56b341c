import { PDFDict, PDFStream, type PDFWidgetAnnotation } from 'pdf-lib';
import { type Box, boxIn, numbersIn } from '../dict-values.ts';
import { textOf } from './parts.ts';
import { number } from '../text/text-frame.ts';

/** The body of a form XObject, one character per byte, that draws a widget at its place on the page. */
export type Picture = string;

type Matrix = readonly [number, number, number, number, number, number];

const UPRIGHT: Matrix = [1, 0, 0, 1, 0, 0];
/** Its bytes as text: every byte is one character. */
const BYTES = 'latin1';
/** Fractions of a point that no printer shows. */
const PRECISION = 100_000;
/** Of what was calculated: less than this is no difference. */
const BLUR = 1e-9;
/** Digits after the point; a picture may be drawn in millionths of a point. */
const DIGITS = 12;
const EMPTY_BOX = '/BBox [0 0 0 0]';

/** Draws nothing; for a place without a picture in the state it is in. */
export const NOTHING: Picture = `<</Type/XObject/Subtype/Form${EMPTY_BOX}/Length 0>>\nstream\n\nendstream`;

/** Everything of a picture of text before its operators but their length. */
export function textPictureHead(widget: PDFWidgetAnnotation, resources: string): string {
  const { x, y, width, height } = widget.getRectangle();
  const box = `/BBox [0 0 ${number(width)} ${number(height)}]`;
  const place = `/Matrix [1 0 0 1 ${number(x)} ${number(y)}]`;
  return `<</Type/XObject/Subtype/Form${box}${place}/Resources ${resources}/Length `;
}

export function textPicture(head: string, operators: string): Picture {
  return `${head}${operators.length}>>\nstream\n${operators}\nendstream`;
}

/**
 * A picture the form holds, moved to where its widget stands (PDF 1.7, 12.5.5): its box, turned by
 * its own matrix, is stretched to the widget's.
 */
export function movedPicture(stream: PDFStream, widget: PDFDict): Picture {
  const target = boxIn(widget, 'Rect');
  const held = boxIn(stream.dict, 'BBox');
  // Without a box of its own, a picture shows nothing in any viewer.
  if (target === null || held === null) return NOTHING;
  const own = matrixIn(stream.dict);
  const source = turned(held, own);
  const scaleX = ratio(target[2] - target[0], source[2] - source[0]);
  const scaleY = ratio(target[3] - target[1], source[3] - source[1]);
  const moveX = target[0] - source[0] * scaleX;
  const moveY = target[1] - source[1] * scaleY;
  const [a, b, c, d, e, f] = own;
  const placed = [
    ...[a * scaleX, b * scaleY, c * scaleX, d * scaleY],
    ...[e * scaleX + moveX, f * scaleY + moveY],
  ];
  const contents = stream.getContents();
  const kept = [...stream.dict.entries()].filter(([key]) => !REPLACED.has(key.asString()));
  const entries = kept.map(([key, value]) => `${textOf(key)} ${textOf(value)}`).join('');
  return (
    `<</Type/XObject/Subtype/Form/Matrix [${placed.map(rounded).join(' ')}]${entries}` +
    `/Length ${contents.length}>>\nstream\n${Buffer.from(contents).toString(BYTES)}\nendstream`
  );
}

const REPLACED = new Set(['/Type', '/Subtype', '/Matrix', '/Length']);

/** Stretching by nothing must be told as nothing, not as one part in ten billions. */
function rounded(value: number): string {
  const near = Math.round(value * PRECISION) / PRECISION;
  return Math.abs(value - near) < BLUR ? number(near) : value.toFixed(DIGITS);
}

function matrixIn(dictionary: PDFDict): Matrix {
  const [a, b, c, d, e, f] = numbersIn(dictionary, 'Matrix');
  if (a === undefined || b === undefined || c === undefined) return UPRIGHT;
  if (d === undefined || e === undefined || f === undefined) return UPRIGHT;
  return [a, b, c, d, e, f];
}

/** The upright box around a box that was turned by a PDF matrix. */
function turned(box: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [box[0], box[2]].flatMap((x) => [box[1], box[3]].map((y) => [x, y] as const));
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function ratio(target: number, source: number): number {
  return source === 0 ? 1 : target / source;
}
