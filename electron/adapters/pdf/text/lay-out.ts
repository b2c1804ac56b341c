import { withPlainLineEnds } from '../../../../shared/rules/forms/field-values.ts';
import type { Flow, TextMeasure } from './text-width.ts';

/*
 * Positions of the lines of a field's text. These are pdf-lib's rules (its `layout.ts`), calculated
 * from widths that are measured once per word instead of once per word and size.
 */

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line {
  readonly flow: Flow;
  /** Start and end of the line in `flow`. */
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Layout {
  readonly size: number;
  readonly lines: readonly Line[];
}

export type Alignment = 'left' | 'center' | 'right';

export interface TextBox {
  readonly bounds: Bounds;
  readonly alignment: Alignment;
  readonly measure: TextMeasure;
  /** Size that the form requires; 0 for automatic size. */
  readonly size: number;
}

const MIN_FONT_SIZE = 4;
const MAX_FONT_SIZE = 500;
/**
 * Maximum automatic size of wrapped text in points, as in viewers and unlike pdf-lib: a few words
 * in a large box must not become a headline.
 */
export const MAX_WRAPPED = 12;
/** Gap between lines, as a share of the font's height. */
const LINE_GAP_SHARE = 0.2;
const UNIT = 1000;
/** Share of a cell that a character may fill. */
const CELL_SHARE = 0.75;
/** End of a flow that is a single character. */
const WHOLE_TEXT = Number.MAX_SAFE_INTEGER;
const BREAK = /[\n\f\r\u000B]/;
const BREAKS = /[\n\f\r\u000B]/g;

export function layOutLine(text: string, box: TextBox): Layout {
  const { bounds, measure } = box;
  const line = withoutControlCharacters(text).replaceAll(BREAKS, ' ');
  const flow = measure.flow(line);
  const size = box.size === 0 ? fittingSize([flow], box, false) : box.size;
  const width = flow.width(0, line.length) * (size / UNIT);
  const y = bounds.y + (bounds.height / 2 - measure.height(size, false) / 2);
  const x = startOf(width, box, box.alignment);
  return { size, lines: [{ flow, from: 0, to: line.length, x, y, width }] };
}

export function layOutLines(text: string, box: TextBox): Layout {
  const { bounds, measure } = box;
  const wanted = withoutControlCharacters(text)
    .split(BREAK)
    .map((whole) => ({ whole, flow: measure.flow(whole) }));
  const flows = wanted.map(({ flow }) => flow);
  const size = box.size === 0 ? fittingSize(flows, box, true) : box.size;
  const lines: Line[] = [];
  const step = lineHeight(measure, size);
  let y = bounds.y + bounds.height;
  for (const { whole, flow } of wanted) {
    const alignment = effectiveAlignment(flow, box.alignment);
    let from = 0;
    let end = whole.length;
    let isMore = true;
    while (isMore) {
      const { to, width } = firstPart(flow, from, end, box, size);
      y -= step;
      lines.push({ flow, from, to, x: startOf(width, box, alignment), y, width });
      isMore = to < end;
      const left = whole.slice(to, end);
      from = to + left.length - left.trimStart().length;
      end = Math.max(from, to + left.trimEnd().length);
    }
  }
  return { size, lines };
}

/** Puts one character into each of `cells` cells, from the right for right-to-left text. */
export function layOutCells(text: string, box: TextBox, cells: number): Layout {
  const { bounds, measure } = box;
  const { letters, isRtl } = measure.cells(
    withoutControlCharacters(text).replaceAll(BREAKS, ' '),
    cells,
  );
  const widths = letters.map((letter) => letter.width(0, WHOLE_TEXT));
  const size = box.size === 0 ? fittingCellSize(widths, box, cells) : box.size;
  const step = bounds.width / cells;
  const first = isRtl ? cells - letters.length : 0;
  const y = bounds.y + (bounds.height / 2 - measure.height(size, false) / 2);
  const lines = letters.map((flow, at) => {
    const center = bounds.x + (step * (first + at) + step / 2);
    const width = (widths[at] ?? 0) * (size / UNIT);
    return { flow, from: 0, to: WHOLE_TEXT, x: center - width / 2, y, width };
  });
  return { size, lines };
}

/**
 * Returns the side of a paragraph. Without an alignment in the form, it begins at the side of its
 * direction.
 */
function effectiveAlignment({ isRtl }: Flow, asked: Alignment): Alignment {
  return isRtl && asked === 'left' ? 'right' : asked;
}

function startOf(width: number, { bounds }: TextBox, alignment: Alignment): number {
  switch (alignment) {
    case 'left':
      return bounds.x;
    case 'center':
      return bounds.x + bounds.width / 2 - width / 2;
    case 'right':
      return bounds.x + bounds.width - width;
  }
}

/**
 * Returns the longest beginning that fits and ends at a valid break; all of it if there is none.
 */
function firstPart(
  flow: Flow,
  from: number,
  end: number,
  { bounds }: TextBox,
  size: number,
): { readonly to: number; readonly width: number } {
  for (let to = end; to > from; to = flow.breakBefore(from, to)) {
    const width = flow.width(from, to) * (size / UNIT);
    if (width < bounds.width) return { to, width };
  }
  return { to: end, width: flow.width(from, end) * (size / UNIT) };
}

function fittingSize(lines: readonly Flow[], box: TextBox, mayWrap: boolean): number {
  const { bounds, measure } = box;
  const measured = lines.map((line) => line.pieces());
  const largest = mayWrap ? MAX_WRAPPED : MAX_FONT_SIZE;
  for (let size = MIN_FONT_SIZE; size <= largest; size += 1) {
    const used = measured.reduce((sum, words) => sum + linesOf(words, bounds.width, size), 0);
    if (!mayWrap && used > lines.length) return size - 1;
    // A word wider than the line reduces the size, down to the minimum.
    const isTooWide = (word: number) => word * (size / UNIT) > bounds.width;
    if (mayWrap && size > MIN_FONT_SIZE && measured.some((words) => words.some(isTooWide))) {
      return size - 1;
    }
    if (lineHeight(measure, size) * used > Math.abs(bounds.height)) return size - 1;
  }
  return largest;
}

function linesOf(words: readonly number[], width: number, size: number): number {
  let used = 1;
  let left = width;
  for (const word of words) {
    const wide = word * (size / UNIT);
    left -= wide;
    if (left <= 0) {
      used += 1;
      left = width - wide;
    }
  }
  return used;
}

function fittingCellSize(widths: readonly number[], box: TextBox, cells: number): number {
  const { bounds, measure } = box;
  const room = (bounds.width / cells) * CELL_SHARE;
  const widest = Math.max(0, ...widths);
  for (let size = MIN_FONT_SIZE; size < MAX_FONT_SIZE; size += 1) {
    if (widest * (size / UNIT) > room) return size - 1;
    if (measure.height(size, false) > bounds.height) return size - 1;
  }
  return MAX_FONT_SIZE;
}

function lineHeight(measure: TextMeasure, size: number): number {
  const height = measure.height(size, true);
  return height + height * LINE_GAP_SHARE;
}

function withoutControlCharacters(text: string): string {
  return withPlainLineEnds(text)
    .replaceAll(/\t|\u0085|\u2028|\u2029/g, '    ')
    .replaceAll(/[\b\v]/g, '');
}
