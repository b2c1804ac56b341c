import { type Seen, sizeOf } from './seen.ts';

type Shape = Parameters<typeof sizeOf>[0];

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)}%`;

/** CSS position of a box over its page's picture, in fractions, so independent of the size. */
export function boxStyle(shape: Shape, { left, top, width, height }: Seen): string {
  const page = sizeOf(shape);
  const [x, y] = [percent(left, page.width), percent(top, page.height)];
  const [wide, high] = [percent(width, page.width), percent(height, page.height)];
  return `left:${x};top:${y};width:${wide};height:${high}`;
}
