import type { FoundPlace, PlacedKind } from '../../model/placed-field.ts';
import type { TextLine } from './page-lines.ts';

/** Rectangle on a page, in points. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

export type FieldDetection = FoundPlace['by'];

export interface Found {
  readonly by: FieldDetection;
  readonly kind: PlacedKind;
  readonly label: string;
  readonly box: Box;
}

/** Approximate height of a line of text, in points. */
export const LINE = 14;

/** Height of a signature in points: it needs more than a line of text. */
const SIGNATURE_HEIGHT = 34;

export const MIN_FIELD_WIDTH = 18;

export const isSignatureKind = (kind: PlacedKind): boolean =>
  kind === 'signature' || kind === 'initials';

export const areaOf = ({ x, y, right, top }: Box): number => (right - x) * (top - y);

/** Whether two boxes overlap by more than a third of the smaller box. */
export function isOver(one: Box, other: Box): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.x, other.x);
  const height = Math.min(one.top, other.top) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return false;
  return width * height > Math.min(areaOf(one), areaOf(other)) / 3;
}

export const isIn = (
  { x, y, right, top }: Box,
  letter: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  },
): boolean => {
  const middle = letter.x + letter.width / 2;
  const level = letter.y + letter.height * 0.3;
  return middle > x && middle < right && level > y && level < top;
};

/** Extends the box of a signature upwards, as far as the space is free. */
export function withSignatureHeight(kind: PlacedKind, box: Box, above: readonly TextLine[]): Box {
  if (!isSignatureKind(kind)) return box;
  const free = above
    .filter(
      (line) =>
        line.y > box.y + 2 &&
        line.letters.some(
          (letter) =>
            letter.text.trim() !== '' && letter.x < box.right && letter.x + letter.width > box.x,
        ),
    )
    .reduce((least, { y, height }) => Math.min(least, y - height * 0.3), box.y + SIGNATURE_HEIGHT);
  return { ...box, top: Math.max(box.top, free) };
}
