import type { PageGuides } from '../../model/page-guides.ts';
import { MAX_GUIDES } from '../../model/page-guides.ts';
import type { PageCharacter, PageMarks } from '../../model/page-marks.ts';
import { isHorizontal, linesOf } from './page-lines.ts';

/** Minimum gap, in character heights, between two columns or between a label and its blank. */
const MIN_COLUMN_GAP = 0.8;

/** Alignment guides of a page: its lines, and the positions of its texts. */
export function guidesOf({ page, box, rotate, letters, strokes }: PageMarks): PageGuides {
  const lines = linesOf(letters);
  const edges = lines.flatMap(({ letters: ordered }) => edgesOf(ordered));
  const uprights = strokes.filter((stroke) => !isHorizontal(stroke));
  const levels = strokes.filter(isHorizontal);
  // Drawn lines have priority: on a page with too many guides, guides of texts are dropped.
  return {
    page,
    box,
    rotate,
    xs: limitGuides([
      ...uprights.map(({ x }) => x),
      ...levels.flatMap(({ x, right }) => [x, right]),
      ...edges,
    ]),
    ys: limitGuides([
      ...levels.map(({ y }) => y),
      ...uprights.flatMap(({ y, top }) => [y, top]),
      ...lines.map(({ y }) => y),
    ]),
  };
}

/** Left and right ends of each piece of a line of text. */
function edgesOf(letters: readonly PageCharacter[]): readonly number[] {
  const seen = letters.filter(({ text }) => text.trim() !== '');
  return seen.flatMap((letter, at) => {
    const { x, width, height } = letter;
    const [before, after] = [seen[at - 1], seen[at + 1]];
    const begins = before === undefined || x - (before.x + before.width) > height * MIN_COLUMN_GAP;
    const ends = after === undefined || after.x - (x + width) > height * MIN_COLUMN_GAP;
    return [...(begins ? [x] : []), ...(ends ? [x + width] : [])];
  });
}

const limitGuides = (places: readonly number[]): number[] =>
  [...new Set(places.map((place) => Math.round(place * 2) / 2))].slice(0, MAX_GUIDES);
