import { type ShownBox, sizeOf } from './seen.ts';

type PageShape = Parameters<typeof sizeOf>[0];

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)}%`;

/** CSS position of a box over its page's picture, in fractions, so independent of the size. */
export function boxStyle(shape: PageShape, { left, top, width, height }: ShownBox): string {
  const page = sizeOf(shape);
  const [x, y] = [percent(left, page.width), percent(top, page.height)];
  const [wide, high] = [percent(width, page.width), percent(height, page.height)];
  return `left:${x};top:${y};width:${wide};height:${high}`;
}
