import { withPlainLineEnds } from '../../../shared/rules/forms/field-values.ts';
import type { TextMeasure } from './text-width.ts';

/*
 * Where the lines of a field's text go. These are pdf-lib's rules (its `layout.ts`), worked out
 * from widths that are measured once per word instead of once per word and size tried.
 */

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
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
  /** The size the form asks for; 0 for one that fits. */
  readonly size: number;
}

const SMALLEST = 4;
const LARGEST = 500;
/** As viewers do, and unlike pdf-lib: few words in a large box are no headline. */
export const LARGEST_WRAPPED = 12;
/** Between lines, of the font's height. */
const GAP = 0.2;
const UNIT = 1000;
/** What of a cell a letter may fill. */
const CELL_SHARE = 0.75;
const BREAK = /[\n\f\r\u000B]/;
const BREAKS = /[\n\f\r\u000B]/g;

export function layOutLine(text: string, box: TextBox): Layout {
  const { bounds, measure } = box;
  const line = cleaned(text).replaceAll(BREAKS, ' ');
  const size = box.size === 0 ? fittingSize([line], box, false) : box.size;
  const width = measure.width(line) * (size / UNIT);
  const y = bounds.y + (bounds.height / 2 - measure.height(size, false) / 2);
  return { size, lines: [{ text: line, x: startOf(width, box), y }] };
}

export function layOutLines(text: string, box: TextBox): Layout {
  const { bounds, measure } = box;
  const wanted = cleaned(text).split(BREAK);
  const size = box.size === 0 ? fittingSize(wanted, box, true) : box.size;
  const lines: Line[] = [];
  const step = lineHeight(measure, size);
  let y = bounds.y + bounds.height;
  for (const whole of wanted) {
    let rest: string | undefined = whole;
    while (rest !== undefined) {
      const part = firstPart(rest, box, size);
      y -= step;
      lines.push({ text: part.text, x: startOf(part.width, box), y });
      rest = part.rest?.trim();
    }
  }
  return { size, lines };
}

/** One letter in each of `cells` cells. */
export function layOutCells(text: string, box: TextBox, cells: number): Layout {
  const { bounds, measure } = box;
  const letters = [...cleaned(text).replaceAll(BREAKS, ' ')];
  const size = box.size === 0 ? fittingCellSize(letters, box, cells) : box.size;
  const step = bounds.width / cells;
  const y = bounds.y + (bounds.height / 2 - measure.height(size, false) / 2);
  const lines = letters.slice(0, cells).map((letter, at) => {
    const center = bounds.x + (step * at + step / 2);
    return { text: letter, x: center - (measure.width(letter) * (size / UNIT)) / 2, y };
  });
  return { size, lines };
}

function startOf(width: number, { bounds, alignment }: TextBox): number {
  switch (alignment) {
    case 'left':
      return bounds.x;
    case 'center':
      return bounds.x + bounds.width / 2 - width / 2;
    case 'right':
      return bounds.x + bounds.width - width;
  }
}

/** The longest beginning that fits and ends at a space; all of it when there is none. */
function firstPart(text: string, { bounds, measure }: TextBox, size: number) {
  let end = text.length;
  while (end > 0) {
    const part = text.slice(0, end);
    const width = measure.width(part) * (size / UNIT);
    if (width < bounds.width) return { text: part, width, rest: text.slice(end) || undefined };
    end = lastSpace(part);
  }
  return { text, width: measure.width(text) * (size / UNIT), rest: undefined };
}

function lastSpace(text: string): number {
  for (let at = text.length - 1; at > 0; at -= 1) {
    if (/\s/.test(text[at] ?? '')) return at;
  }
  return 0;
}

function fittingSize(lines: readonly string[], box: TextBox, mayWrap: boolean): number {
  const { bounds, measure } = box;
  const measured = lines.map((line) => wordWidths(line, measure));
  const largest = mayWrap ? LARGEST_WRAPPED : LARGEST;
  for (let size = SMALLEST; size <= largest; size += 1) {
    const used = measured.reduce((sum, words) => sum + linesOf(words, bounds.width, size), 0);
    if (!mayWrap && used > lines.length) return size - 1;
    if (lineHeight(measure, size) * used > Math.abs(bounds.height)) return size - 1;
  }
  return largest;
}

/** Each word with the space behind it, in thousandths of the size. */
function wordWidths(line: string, measure: TextMeasure): readonly number[] {
  const words = line.split(' ');
  return words.map((word, at) => measure.width(at === words.length - 1 ? word : `${word} `));
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

function fittingCellSize(letters: readonly string[], box: TextBox, cells: number): number {
  const { bounds, measure } = box;
  const room = (bounds.width / cells) * CELL_SHARE;
  const widest = Math.max(0, ...letters.map((letter) => measure.width(letter)));
  for (let size = SMALLEST; size < LARGEST; size += 1) {
    if (widest * (size / UNIT) > room) return size - 1;
    if (measure.height(size, false) > bounds.height) return size - 1;
  }
  return LARGEST;
}

function lineHeight(measure: TextMeasure, size: number): number {
  const height = measure.height(size, true);
  return height + height * GAP;
}

function cleaned(text: string): string {
  return withPlainLineEnds(text)
    .replaceAll(/\t|\u0085|\u2028|\u2029/g, '    ')
    .replaceAll(/[\b\v]/g, '');
}
