import type { PageGuides } from '../../../../shared/model/page-guides.ts';
import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';

/**
 * A rectangle on the displayed page, in points from its upper left; the stored page may be rotated.
 */
export interface ShownBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Snap lines of the page, in points from its left and top. */
export interface Lines {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

type Box = PdfPlace['box'];
type RotatedPage = Pick<PageGuides, 'box' | 'rotate'>;

const rotationOf = ({ rotate }: RotatedPage): number => ((rotate % 360) + 360) % 360;

const isSideways = (shape: RotatedPage): boolean => rotationOf(shape) % 180 === 90;

export function sizeOf(shape: RotatedPage): Pick<ShownBox, 'width' | 'height'> {
  const { width, height } = shape.box;
  return isSideways(shape) ? { width: height, height: width } : { width, height };
}

export function toShownBox(shape: RotatedPage, { x, y, width, height }: Box): ShownBox {
  const { box } = shape;
  const [left, below] = [x - box.x, y - box.y];
  const right = box.width - left - width;
  const above = box.height - below - height;
  switch (rotationOf(shape)) {
    case 90:
      return { left: below, top: left, width: height, height: width };
    case 180:
      return { left: right, top: below, width, height };
    case 270:
      return { left: above, top: right, width: height, height: width };
    default:
      return { left, top: above, width, height };
  }
}

/** Inverse of `toShownBox`, rounded to hundredths of a point. */
export function toStoredBox(shape: RotatedPage, { left, top, width, height }: ShownBox): Box {
  const { box } = shape;
  const at = (x: number, y: number, wide: number, high: number): Box => ({
    x: roundToHundredths(box.x + x),
    y: roundToHundredths(box.y + y),
    width: roundToHundredths(wide),
    height: roundToHundredths(high),
  });
  switch (rotationOf(shape)) {
    case 90:
      return at(top, left, height, width);
    case 180:
      return at(box.width - left - width, top, width, height);
    case 270:
      return at(box.width - top - height, box.height - left - width, height, width);
    default:
      return at(left, box.height - top - height, width, height);
  }
}

const roundToHundredths = (points: number): number => Math.round(points * 100) / 100;

/** Graphics of the page as snap lines of the displayed page. */
export function linesOf(page: PageGuides): Lines {
  const { box, xs, ys } = page;
  const lefts = xs.map((x) => x - box.x);
  const rights = xs.map((x) => box.x + box.width - x);
  const aboves = ys.map((y) => box.y + box.height - y);
  const belows = ys.map((y) => y - box.y);
  switch (rotationOf(page)) {
    case 90:
      return { xs: belows, ys: lefts };
    case 180:
      return { xs: rights, ys: belows };
    case 270:
      return { xs: aboves, ys: rights };
    default:
      return { xs: lefts, ys: aboves };
  }
}

/** The box moved and shrunk until it is completely on the page. */
export function fitOnPage(page: Pick<ShownBox, 'width' | 'height'>, box: ShownBox): ShownBox {
  const width = Math.min(box.width, page.width);
  const height = Math.min(box.height, page.height);
  return {
    left: Math.min(Math.max(0, box.left), page.width - width),
    top: Math.min(Math.max(0, box.top), page.height - height),
    width,
    height,
  };
}

export function boundingBoxOf(boxes: readonly ShownBox[]): ShownBox {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

export function isOver(one: ShownBox, other: ShownBox): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
