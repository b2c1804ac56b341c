import type { PageMarks, ShadedArea, PageStroke } from '../../model/page-marks.ts';
import { type Cell, isHorizontal, type TextLine } from './page-lines.ts';
import {
  areaOf,
  type Box,
  type Found,
  isIn,
  MIN_FIELD_WIDTH,
  withSignatureHeight,
} from './place-boxes.ts';
import { labelAbove, labelBelow, labelLeft, labelOf, labelRight, textOf } from './place-labels.ts';
import { kindOfLabel } from './place-words.ts';

/** Text that fills a cell; a cell with only a plus or a currency sign is still a blank. */
const HAS_TEXT_PATTERN = /[\p{L}\p{N}]/u;

/** Maximum height of the background of a one-line blank, in points. */
const MAX_ONE_LINE_HEIGHT = 34;

/** Maximum distance between the borders of neighbouring cells, in points. */
const MAX_NEIGHBOUR_GAP = 4;

/** Cells, each with its text as a label; null without text. */
type NamedCells = ReadonlyMap<Cell, string | null>;

export function nameCells(cells: readonly Cell[], lines: readonly TextLine[]): NamedCells {
  return new Map(
    cells.map((cell) => {
      const texts = lines.map(({ letters }) => {
        const own = letters.filter((letter) => isIn(cell, letter));
        return textOf({ letters: own }, 0, own.length).trim();
      });
      return [cell, labelOf(texts.filter((text) => text !== '').join(' '))];
    }),
  );
}

export function findInCell(
  cell: Cell,
  named: NamedCells,
  page: PageMarks,
  lines: readonly TextLine[],
): readonly Found[] {
  const [width, height] = [cell.right - cell.x, cell.top - cell.y];
  const inside = page.letters.filter(
    (letter) => HAS_TEXT_PATTERN.test(letter.text) && isIn(cell, letter),
  );
  const isSquare = Math.abs(width - height) < 3 && width < 18;
  if (isSquare && inside.length === 0) {
    const label = labelRight(cell, lines) ?? labelLeft(cell.x, cell.y, lines) ?? '';
    return [{ by: 'box', kind: 'checkbox', label, box: cell }];
  }
  if (width < MIN_FIELD_WIDTH || height < 9 || isWholePage(cell, page)) return [];
  if (isShaded(cell, 'struck', page)) return [];
  const room = shrinkBox(cell, 1.5);
  if (inside.length === 0) {
    const isTinted = height < MAX_ONE_LINE_HEIGHT && isShaded(cell, 'tint', page);
    const label = labelOfCell(cell, named, lines) ?? (isTinted ? '' : null);
    if (label === null) return [];
    const kind = kindOfLabel(label) ?? (height > 34 ? 'lines' : 'text');
    return [{ by: 'cell', kind, label, box: room }];
  }
  return isNamedBeside(cell, named, page) ? [] : placesBesideOwnLabel(room, inside, lines);
}

/** Whether most of the cell has a background of the kind `as`. */
function isShaded(cell: Cell, as: ShadedArea['as'], { shades }: PageMarks): boolean {
  const own = shades.filter((shade) => shade.as === as);
  const covered = own.reduce((sum, shade) => sum + sharedArea(shade, cell), 0);
  return covered > areaOf(cell) * 0.6;
}

function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.x, other.x);
  const height = Math.min(one.top, other.top) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** Whether a cell is a label for the empty cell next to it, where the value belongs. */
function isNamedBeside(cell: Cell, named: NamedCells, { letters }: PageMarks): boolean {
  const isEmpty = (one: Cell) =>
    !letters.some((letter) => HAS_TEXT_PATTERN.test(letter.text) && isIn(one, letter));
  const next = [...named.keys()].find(
    (other) =>
      Math.abs(other.x - cell.right) < MAX_NEIGHBOUR_GAP && isOverlappingVertically(other, cell),
  );
  return next !== undefined && isEmpty(next);
}

/** Finds the free space in a cell that has its own label in a corner. */
function placesBesideOwnLabel(
  room: Box,
  inside: PageMarks['letters'],
  lines: readonly TextLine[],
): readonly Found[] {
  const bottom = Math.min(...inside.map(({ y }) => y));
  const end = Math.max(...inside.map(({ x, width }) => x + width));
  const size = Math.max(...inside.map(({ height }) => height));
  const own = lines.flatMap(({ letters, ...line }) => {
    const some = letters.filter((letter) => isIn(room, letter));
    return some.some(({ text }) => text.trim() !== '') ? [{ ...line, letters: some }] : [];
  });
  const text = own.map((line) => textOf(line, 0, line.letters.length).trim()).join(' ');
  const label = labelOf(text);
  if (label === null || own.length > 2 || /[_…☐□]|\.{4}|\{\{/u.test(text)) return [];
  const below = { ...room, top: bottom - size * 0.35 };
  if (below.top - below.y >= 9) {
    const kind = kindOfLabel(label) ?? (below.top - below.y > 34 ? 'lines' : 'text');
    return [{ by: 'cell', kind, label, box: below }];
  }
  const beside = { ...room, x: end + 4 };
  if (!/:$/u.test(text) || beside.right - beside.x < 40) return [];
  return [{ by: 'cell', kind: kindOfLabel(label) ?? 'text', label, box: beside }];
}

/**
 * Maximum number of cells without words that are skipped to the left: a row number, or another
 * empty column.
 */
const MAX_CELLS_SKIPPED = 6;

/** Label of a cell: from a cell to its left, or from the head of its column. */
function labelOfCell(cell: Cell, named: NamedCells, lines: readonly TextLine[]): string | null {
  const row = cellsLeftOf(cell, named);
  const [next] = row;
  const beside = next === undefined ? null : (named.get(next) ?? null);
  if (beside !== null) return beside;
  const [head] = [...named]
    .filter(
      ([{ x, y }, label]) =>
        label !== null &&
        y >= cell.top - MAX_NEIGHBOUR_GAP &&
        Math.abs(x - cell.x) < MAX_NEIGHBOUR_GAP,
    )
    .toSorted(([one], [other]) => one.y - other.y);
  if (head?.[1]) return head[1];
  const near = labelLeft(cell.x, cell.y + 2, lines) ?? labelAbove(cell, lines);
  if (near !== null) return near;
  let number: string | null = null;
  for (const passed of row) {
    // A cell that spans several rows does not label one of them.
    if (!isSameRow(passed, cell)) return number;
    const label = named.get(passed) ?? labelLeft(passed.x, passed.y + 2, lines);
    if (label !== null) return label;
    number ??= numberIn(passed, lines);
  }
  return number;
}

/** Number in a cell: forms name a row without words by its number. */
function numberIn(cell: Cell, lines: readonly TextLine[]): string | null {
  const own = lines.flatMap(({ letters }) => letters.filter((letter) => isIn(cell, letter)));
  const text = textOf({ letters: own }, 0, own.length).trim();
  return /^\p{N}{1,4}$/u.test(text) ? text : null;
}

/** Cells to the left of a cell, nearest first. */
function cellsLeftOf(cell: Cell, named: NamedCells): readonly Cell[] {
  const row: Cell[] = [];
  for (let at: Cell | undefined = cell; row.length < MAX_CELLS_SKIPPED;) {
    const { x }: Cell = at;
    at = [...named.keys()].find(
      (other) =>
        Math.abs(other.right - x) < MAX_NEIGHBOUR_GAP && isOverlappingVertically(other, cell),
    );
    if (at === undefined) break;
    row.push(at);
  }
  return row;
}

const isOverlappingVertically = (one: Cell, other: Cell): boolean =>
  one.y < other.top - 3 && one.top > other.y + 3;

const isSameRow = (one: Cell, other: Cell): boolean =>
  Math.abs(one.y - other.y) < MAX_NEIGHBOUR_GAP &&
  Math.abs(one.top - other.top) < MAX_NEIGHBOUR_GAP;

/** Whether a cell is the frame around a page's text, which is not a blank. */
const isWholePage = (cell: Cell, { box }: PageMarks): boolean =>
  areaOf(cell) > (box.width * box.height) / 3;

const shrinkBox = ({ x, y, right, top }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  right: right - by,
  top: top - by,
});

/** Finds a blank at a drawn line without text on it, with a label next to or below it. */
export function findAtRule(
  stroke: PageStroke,
  page: PageMarks,
  cells: Iterable<Cell>,
  lines: readonly TextLine[],
): readonly Found[] {
  const { x, y, right } = stroke;
  if (!isHorizontal(stroke) || right - x < MIN_FIELD_WIDTH * 1.5) return [];
  if ([...cells].some((cell) => isBorder(cell, stroke)) || touchesUpright(stroke, page)) return [];
  const written = page.letters.filter(
    (letter) =>
      letter.text.trim() !== '' &&
      letter.y - y < letter.height &&
      letter.y - y > -1 &&
      letter.x < right &&
      letter.x + letter.width > x,
  );
  const covered = written.reduce((sum, { width }) => sum + width, 0);
  if (covered > (right - x) * 0.2) return [];
  const beside = labelLeft(x, y, lines);
  const label = beside ?? labelBelow({ x, y, right, top: y }, lines);
  if (label === null) return [];
  // A line across the whole page separates the text above from the text below.
  if (beside === null && right - x > page.box.width * 0.7 && kindOfLabel(label) === null) return [];
  const kind = kindOfLabel(label) ?? 'text';
  const box = { x, y: y + 0.5, right, top: y + 15 };
  return [{ by: 'rule', kind, label, box: withSignatureHeight(kind, box, lines) }];
}

function isBorder({ x, y, right, top }: Cell, stroke: PageStroke): boolean {
  const isAt = Math.abs(stroke.y - y) < 3 || Math.abs(stroke.y - top) < 3;
  return isAt && stroke.x < right && stroke.right > x;
}

function touchesUpright({ x, y, right }: PageStroke, { strokes }: PageMarks): boolean {
  return strokes.some(
    (other) =>
      !isHorizontal(other) &&
      other.x >= x - 2 &&
      other.x <= right + 2 &&
      other.y <= y + 2 &&
      other.top >= y - 2,
  );
}
