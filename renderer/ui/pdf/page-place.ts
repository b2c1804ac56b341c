/** A rectangle in PDF points, origin at the page's lower left. */
interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a box of the page stands over its picture, as a style. */
export type PlaceOnPage = (box: PageBox) => string;

interface Converts {
  convertToViewportPoint(x: number, y: number): unknown[];
}

/** pdf.js turns and scales; the result is in CSS pixels from the picture's upper left. */
export function placeBy(viewport: Converts): PlaceOnPage {
  return ({ x, y, width, height }) => {
    const [a, b] = viewport.convertToViewportPoint(x, y).map(Number);
    const [c, d] = viewport.convertToViewportPoint(x + width, y + height).map(Number);
    if (a === undefined || b === undefined || c === undefined || d === undefined) return '';
    const [left, top] = [Math.min(a, c), Math.min(b, d)];
    const [wide, high] = [Math.abs(c - a), Math.abs(d - b)];
    return `left:${left}px;top:${top}px;width:${wide}px;height:${high}px`;
  };
}
