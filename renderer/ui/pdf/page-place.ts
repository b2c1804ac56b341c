/** A rectangle in PDF points, origin at the page's lower left corner. */
interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Converts a box of the page to a CSS style over its picture. */
export type PageBoxStyle = (box: PageBox) => string;

interface ViewportConverter {
  convertToViewportPoint(x: number, y: number): unknown[];
}

/**
 * Returns a function from page boxes to CSS. pdf.js rotates and scales; the result is in CSS pixels
 * from the picture's upper left corner.
 */
export function createPageStyle(viewport: ViewportConverter): PageBoxStyle {
  return ({ x, y, width, height }) => {
    const [a, b] = viewport.convertToViewportPoint(x, y).map(Number);
    const [c, d] = viewport.convertToViewportPoint(x + width, y + height).map(Number);
    if (a === undefined || b === undefined || c === undefined || d === undefined) return '';
    const [left, top] = [Math.min(a, c), Math.min(b, d)];
    const [wide, high] = [Math.abs(c - a), Math.abs(d - b)];
    return `left:${left}px;top:${top}px;width:${wide}px;height:${high}px`;
  };
}
