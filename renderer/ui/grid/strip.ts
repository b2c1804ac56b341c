/** A list of rows of one height, of which a part is seen. All lengths are CSS pixels. */
export interface Strip {
  readonly count: number;
  readonly rowHeight: number;
  /** What is seen of the rows, without the header. */
  readonly viewport: number;
}

/** Browsers stop drawing boxes at some height, the smallest known of them a little above this. */
const MAX_HEIGHT = 16_000_000;
/** With the header and the row under the cursor, still fewer than sixty row elements. */
const MAX_MOUNTED = 56;
/** Rows drawn ahead of a scroll on either side, where there is room for them. */
const AHEAD = 6;

/** The height that is scrolled over: the whole list, or the highest box there can be. */
export const bodyHeight = ({ count, rowHeight }: Strip): number =>
  Math.min(count * rowHeight, MAX_HEIGHT);

/** How far one pixel of the scroll bar goes in the list; 1 until the list is too high for a box. */
function pace(strip: Strip): number {
  const whole = strip.count * strip.rowHeight;
  const body = bodyHeight(strip);
  return whole <= body ? 1 : (whole - strip.viewport) / (body - strip.viewport);
}

/** How many pixels of the list lie above the upper edge. */
export const offsetAt = (strip: Strip, scrollTop: number): number => scrollTop * pace(strip);

/** Where to scroll so that `offset` pixels of the list lie above the upper edge. */
export const scrollFor = (strip: Strip, offset: number): number => offset / pace(strip);

/** The rows that are at least partly seen; none as `last < first`. */
export function seenRows(strip: Strip, offset: number): { first: number; last: number } {
  const first = Math.max(0, Math.floor(offset / strip.rowHeight));
  const last = Math.ceil((offset + strip.viewport) / strip.rowHeight) - 1;
  return { first: Math.min(first, strip.count), last: Math.min(last, strip.count - 1) };
}

/** The rows to draw: those seen, some ahead on either side, and never too many. */
export function drawnRows(strip: Strip, offset: number): { first: number; last: number } {
  const { first, last } = seenRows(strip, offset);
  const seen = last - first + 1;
  const ahead = Math.max(1, Math.min(AHEAD, Math.floor((MAX_MOUNTED - seen) / 2)));
  return { first: Math.max(0, first - ahead), last: Math.min(strip.count - 1, last + ahead) };
}

/** The offset nearest to `offset` at which the row is seen whole. */
export function offsetShowing(strip: Strip, offset: number, index: number): number {
  const top = index * strip.rowHeight;
  const bottom = top + strip.rowHeight - strip.viewport;
  return Math.max(0, Math.min(top, Math.max(bottom, offset)));
}
