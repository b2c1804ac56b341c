import type { PageMarks } from '../../model/page-marks.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import type { PdfPlace } from '../../model/pdf-place.ts';
import type { FoundPlace } from '../../model/placed-field.ts';
import { findPlaces } from './find-places.ts';

type Box = PdfPlace['box'];

/** Marks of a page in points of the displayed page, which may be stored rotated. */
export interface TurnedMarks {
  readonly marks: PageMarks;
  /** Visible part of the stored page. */
  readonly stored: Box;
  /** Clockwise degrees from the stored page to the marks: 0, 90, 180 or 270. */
  readonly turn: number;
}

/** Transformation matrix of PDF, [a b c d e f] (PDF 1.7, 8.3.4). */
type Matrix = readonly [number, number, number, number, number, number];

/**
 * Matrix that rotates points of a stored page clockwise. Afterwards, the lower left corner of the
 * visible part is the origin.
 */
export function turningMatrix({ x, y, width, height }: Box, turn: number): Matrix {
  switch (turn) {
    case 90:
      return [0, -1, 1, 0, -y, x + width];
    case 180:
      return [-1, 0, 0, -1, x + width, y + height];
    case 270:
      return [0, 1, -1, 0, y + height, -x];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** Visible part of a page after `turningMatrix`. */
export function turnedBox(stored: Box, turn: number): Box {
  return turn === 0 ? stored : transformBox(stored, turningMatrix(stored, turn));
}

/** Finds blanks on displayed pages, and returns them in points of the stored pages. */
export function findTurnedPlaces(
  pages: readonly TurnedMarks[],
  fields: readonly Pick<PdfField, 'name' | 'places'>[],
): readonly FoundPlace[] {
  const turns = new Map(pages.map((page) => [page.marks.page, page]));
  const seen = (place: PdfPlace): PdfPlace => {
    const { stored, turn = 0 } = turns.get(place.page) ?? {};
    if (stored === undefined || turn === 0) return place;
    return { page: place.page, box: transformBox(place.box, turningMatrix(stored, turn)) };
  };
  const back = (place: PdfPlace): PdfPlace => {
    const { stored, turn = 0 } = turns.get(place.page) ?? {};
    if (stored === undefined || turn === 0) return place;
    const box = transformBox(place.box, inverse(turningMatrix(stored, turn)));
    return { page: place.page, box: roundedBox(box) };
  };
  const held = fields.map(({ name, places = [] }) => ({ name, places: places.map(seen) }));
  return findPlaces(
    pages.map(({ marks }) => marks),
    held,
  ).map(({ by, field }) => ({ by, field: { ...field, places: field.places.map(back) } }));
}

/** Inverse of a matrix that only rotates and moves: the inverse of a rotation is its transpose. */
function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  return [a, c, b, d, -(a * e + b * f), -(c * e + d * f)];
}

function transformBox({ x, y, width, height }: Box, [a, b, c, d, e, f]: Matrix): Box {
  const point = (px: number, py: number) => [a * px + c * py + e, b * px + d * py + f] as const;
  const [left, bottom] = point(x, y);
  const [right, top] = point(x + width, y + height);
  return {
    x: Math.min(left, right),
    y: Math.min(bottom, top),
    width: Math.abs(right - left),
    height: Math.abs(top - bottom),
  };
}

const roundCoordinate = (points: number): number => Math.round(points * 100) / 100;

const roundedBox = ({ x, y, width, height }: Box): Box => ({
  x: roundCoordinate(x),
  y: roundCoordinate(y),
  width: roundCoordinate(width),
  height: roundCoordinate(height),
});
