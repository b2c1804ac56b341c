/**
 * Font of a badge compared with the window's, and the width of its icon and edges (CSS px). A badge
 * is never cut: other columns become narrower.
 */
export const BADGE_SIZE = { scale: 13 / 14, beside: 36, isFixed: true } as const;

/** Number of lines whose texts are measured: a list may have ten thousand. */
export const MAX_MEASURED_LINES = 200;

let context: CanvasRenderingContext2D | null = null;

/** Returns the widths of texts in the window's own font (CSS px). */
function measureTexts(texts: readonly string[]): readonly number[] {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return [];
  const measuring = context;
  measuring.font = getComputedStyle(document.body).font;
  return texts.map((text) => measuring.measureText(text).width);
}

interface ContentSize {
  /** Width of icons and gaps next to the text (CSS px). */
  readonly beside?: number;
  /** Size of the text's font, compared with the window's. */
  readonly scale?: number;
  /** Whether the column keeps its width in a list that is too narrow for all columns. */
  readonly isFixed?: boolean;
}

/** Width of a column that is as wide as its longest text. */
export function contentWidth(
  texts: readonly string[],
  { beside = 0, scale = 1, isFixed = false }: ContentSize = {},
): string {
  const longest = Math.max(0, ...measureTexts(texts));
  const width = `${String(Math.ceil(longest * scale) + beside)}px`;
  return isFixed ? width : `minmax(0, ${width})`;
}

/** Width of a column that is as wide as its heading and the texts of its rows. */
export function columnWidth<Row>(
  title: string,
  rows: readonly Row[],
  textOf: (row: Row) => string,
  size: ContentSize = {},
): string {
  const texts = rows.slice(0, MAX_MEASURED_LINES).map((row) => textOf(row));
  return contentWidth([title, ...new Set(texts)], size);
}
