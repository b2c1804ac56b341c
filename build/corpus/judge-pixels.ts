import { drawPages, type GreyscalePage } from './draw-pages.ts';

/** Length of a page's longer side in pixels, at which 10-point text is about ten pixels high. */
const PAGE_SIDE_PIXELS = 1000;
const MAX_PAGES = 10;
/**
 * Distance in pixels within which a similar pixel is searched. A viewer smooths edges differently
 * when it draws the same picture as part of the page.
 */
const NEIGHBOUR_DISTANCE = 1;
const SHADE_TOLERANCE = 64;
/** Maximum number of pixels of a page that may differ: fewer than a character has. */
const MAX_UNLIKE_PIXELS = 12;
/**
 * Margin around an ignored area, as a share of the page: the border of a field is on the edge of
 * its box.
 */
const EDGE_SHARE = 0.004;

const VIEWER_COMMANDS = {
  MuPDF: [
    'mutool',
    'draw',
    '-q',
    '-c',
    'gray',
    '-w',
    `${PAGE_SIDE_PIXELS}`,
    '-h',
    `${PAGE_SIDE_PIXELS}`,
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
    `${PAGE_SIDE_PIXELS}`,
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
export type IgnoredArea = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Returns the pages of the flat copy that differ from those of the form, with the viewer and the
 * number of differing pixels. The last parameter has the areas of each page that are not compared.
 */
export function differingPages(
  open: Uint8Array,
  flat: Uint8Array,
  apart: readonly (readonly IgnoredArea[])[] = [],
): readonly string[] {
  return Object.entries(VIEWER_COMMANDS).flatMap(([viewer, command]) => {
    const [one, other] = [drawWithViewer(command, open), drawWithViewer(command, flat)];
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
  Object.keys(VIEWER_COMMANDS).every((viewer) => differing.some((one) => one.includes(viewer)));

const drawWithViewer = (
  [program, ...args]: (typeof VIEWER_COMMANDS)[keyof typeof VIEWER_COMMANDS],
  data: Uint8Array,
) => drawPages(program, args, data);

/**
 * Counts the pixels of one picture that have no similar pixel near them in the other picture;
 * returns the larger number of both directions.
 */
function countUnlikePixels(
  one: GreyscalePage,
  other: GreyscalePage,
  apart: readonly IgnoredArea[],
): number {
  if (one.width !== other.width || one.height !== other.height) return one.pixels.length;
  return Math.max(
    countPixelsWithoutMatch(one, other, apart),
    countPixelsWithoutMatch(other, one, apart),
  );
}

function countPixelsWithoutMatch(
  one: GreyscalePage,
  other: GreyscalePage,
  apart: readonly IgnoredArea[],
): number {
  let count = 0;
  for (let at = 0; at < one.pixels.length; at += 1) {
    const shade = one.pixels[at] ?? 0;
    if (Math.abs(shade - (other.pixels[at] ?? 0)) <= SHADE_TOLERANCE) continue;
    const [x, y] = [at % one.width, Math.floor(at / one.width)];
    if (
      !hasNearbyShade(other, x, y, shade) &&
      !isInIgnoredArea(apart, x / one.width, y / one.height)
    )
      count += 1;
  }
  return count;
}

const isInIgnoredArea = (areas: readonly IgnoredArea[], x: number, y: number): boolean =>
  areas.some(
    ([left, top, right, bottom]) =>
      x >= left - EDGE_SHARE &&
      x <= right + EDGE_SHARE &&
      y >= top - EDGE_SHARE &&
      y <= bottom + EDGE_SHARE,
  );

function hasNearbyShade(
  { width, height, pixels }: GreyscalePage,
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
      if (Math.abs((pixels[row * width + at] ?? 0) - shade) <= SHADE_TOLERANCE) return true;
    }
  }
  return false;
}
