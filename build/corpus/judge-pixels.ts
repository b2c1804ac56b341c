import { drawPages, type Grey } from './draw-pages.ts';

/** Length of a page's longer side in pixels, at which 10-point text is about ten pixels high. */
const SIDE = 1000;
const MAX_PAGES = 10;
/**
 * Distance in pixels within which a similar pixel is searched. A viewer smooths edges differently
 * when it draws the same picture as part of the page.
 */
const NEIGHBOUR_DISTANCE = 1;
const TOLERANCE = 64;
/** Maximum number of pixels of a page that may differ: fewer than a character has. */
const MAX_UNLIKE_PIXELS = 12;
/**
 * Margin around an ignored area, as a share of the page: the border of a field is on the edge of
 * its box.
 */
const EDGE_SHARE = 0.004;

const VIEWERS = {
  MuPDF: [
    'mutool',
    'draw',
    '-q',
    '-c',
    'gray',
    '-w',
    `${SIDE}`,
    '-h',
    `${SIDE}`,
    '-o',
    '%d.pgm',
    'in.pdf',
    `1-${MAX_PAGES}`,
  ],
  Poppler: [
    'pdftoppm',
    '-q',
    '-gray',
    '-cropbox',
    '-scale-to',
    `${SIDE}`,
    '-l',
    `${MAX_PAGES}`,
    'in.pdf',
    'page',
  ],
} as const;

/**
 * An area of a page where the copies differ on purpose, as shares of its width and height from the
 * top left.
 */
export type Area = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Returns the pages of the flat copy that differ from those of the form, with the viewer and the
 * number of differing pixels. The last parameter has the areas of each page that are not compared.
 */
export function differingPages(
  open: Uint8Array,
  flat: Uint8Array,
  apart: readonly (readonly Area[])[] = [],
): readonly string[] {
  return Object.entries(VIEWERS).flatMap(([viewer, command]) => {
    const [one, other] = [drawn(command, open), drawn(command, flat)];
    if (one.length === 0 && other.length === 0) return [];
    if (one.length !== other.length)
      return [`${viewer} draws ${other.length} of ${one.length} pages`];
    return one.flatMap((page, at) => {
      const pixels = countUnlikePixels(page, other[at] ?? page, apart[at] ?? []);
      return pixels <= MAX_UNLIKE_PIXELS
        ? []
        : [`page ${at + 1} differs in ${viewer} by ${pixels} pixels`];
    });
  });
}

/**
 * Whether every viewer shows a difference. A difference in only one viewer is not a fault, because
 * each viewer draws some forms in its own way.
 */
export const isSeenByAll = (differing: readonly string[]): boolean =>
  Object.keys(VIEWERS).every((viewer) => differing.some((one) => one.includes(viewer)));

const drawn = ([program, ...args]: (typeof VIEWERS)[keyof typeof VIEWERS], data: Uint8Array) =>
  drawPages(program, args, data);

/**
 * Counts the pixels of one picture that have no similar pixel near them in the other picture;
 * returns the larger number of both directions.
 */
function countUnlikePixels(one: Grey, other: Grey, apart: readonly Area[]): number {
  if (one.width !== other.width || one.height !== other.height) return one.pixels.length;
  return Math.max(
    countPixelsWithoutMatch(one, other, apart),
    countPixelsWithoutMatch(other, one, apart),
  );
}

function countPixelsWithoutMatch(one: Grey, other: Grey, apart: readonly Area[]): number {
  let count = 0;
  for (let at = 0; at < one.pixels.length; at += 1) {
    const shade = one.pixels[at] ?? 0;
    if (Math.abs(shade - (other.pixels[at] ?? 0)) <= TOLERANCE) continue;
    const [x, y] = [at % one.width, Math.floor(at / one.width)];
    if (
      !hasNearbyShade(other, x, y, shade) &&
      !isInIgnoredArea(apart, x / one.width, y / one.height)
    )
      count += 1;
  }
  return count;
}

const isInIgnoredArea = (areas: readonly Area[], x: number, y: number): boolean =>
  areas.some(
    ([left, top, right, bottom]) =>
      x >= left - EDGE_SHARE &&
      x <= right + EDGE_SHARE &&
      y >= top - EDGE_SHARE &&
      y <= bottom + EDGE_SHARE,
  );

function hasNearbyShade(
  { width, height, pixels }: Grey,
  x: number,
  y: number,
  shade: number,
): boolean {
  for (
    let row = Math.max(0, y - NEIGHBOUR_DISTANCE);
    row <= Math.min(height - 1, y + NEIGHBOUR_DISTANCE);
    row += 1
  ) {
    for (
      let at = Math.max(0, x - NEIGHBOUR_DISTANCE);
      at <= Math.min(width - 1, x + NEIGHBOUR_DISTANCE);
      at += 1
    ) {
      if (Math.abs((pixels[row * width + at] ?? 0) - shade) <= TOLERANCE) return true;
    }
  }
  return false;
}
