/** Geometry of a partly visible list of rows of equal height. Lengths are in CSS pixels. */
export interface ListGeometry {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the visible rows, without the header. */
  readonly viewport: number;
}

/**
 * Maximum height of the content (CSS px): browsers draw no higher boxes; the smallest known limit
 * is a little higher.
 */
const MAX_CONTENT_HEIGHT = 16_000_000;
/**
 * Maximum number of mounted rows; with the header and the active row, there are fewer than sixty
 * row elements.
 */
const MAX_MOUNTED_ROWS = 56;
/** Number of rows drawn ahead of a scroll on either side, if the maximum allows it. */
const ROWS_DRAWN_AHEAD = 6;

/** Height of the scrolled content: the whole list, or the maximum height of a box. */
export const bodyHeight = ({ count, rowHeight }: ListGeometry): number =>
  Math.min(count * rowHeight, MAX_CONTENT_HEIGHT);

/** Pixels of the list for one pixel of scrolling; 1 until the list is too high for a box. */
function scrollRatio(strip: ListGeometry): number {
  const whole = strip.count * strip.rowHeight;
  const body = bodyHeight(strip);
  return whole <= body ? 1 : (whole - strip.viewport) / (body - strip.viewport);
}

/** Pixels of the list above the upper edge. */
export const offsetAt = (strip: ListGeometry, scrollTop: number): number =>
  scrollTop * scrollRatio(strip);

/** Scroll position with `offset` pixels of the list above the upper edge. */
export const scrollTopFor = (strip: ListGeometry, offset: number): number =>
  offset / scrollRatio(strip);

/** The rows that are at least partly visible; `last < first` for none. */
export function partlyVisibleRows(
  strip: ListGeometry,
  offset: number,
): { first: number; last: number } {
  const first = Math.max(0, Math.floor(offset / strip.rowHeight));
  const last = Math.ceil((offset + strip.viewport) / strip.rowHeight) - 1;
  return { first: Math.min(first, strip.count), last: Math.min(last, strip.count - 1) };
}

/** The rows to draw: the visible ones and some on either side, limited by `MAX_MOUNTED_ROWS`. */
export function drawnRows(strip: ListGeometry, offset: number): { first: number; last: number } {
  const { first, last } = partlyVisibleRows(strip, offset);
  const seen = last - first + 1;
  const ahead = Math.max(1, Math.min(ROWS_DRAWN_AHEAD, Math.floor((MAX_MOUNTED_ROWS - seen) / 2)));
  return { first: Math.max(0, first - ahead), last: Math.min(strip.count - 1, last + ahead) };
}

/** The offset nearest to `offset` at which the row is fully visible. */
export function offsetShowing(strip: ListGeometry, offset: number, index: number): number {
  const top = index * strip.rowHeight;
  const bottom = top + strip.rowHeight - strip.viewport;
  return Math.max(0, Math.min(top, Math.max(bottom, offset)));
}
