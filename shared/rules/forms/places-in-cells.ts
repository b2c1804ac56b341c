import type { PageMarks, Stroke } from '../../model/page-marks.ts';
import { type Cell, isLevel, type TextLine } from './page-lines.ts';
import { areaOf, type Box, type Found, isIn, LEAST_WIDTH, withHeight } from './place-boxes.ts';
import { labelAbove, labelBelow, labelLeft, labelOf, labelRight, textOf } from './place-labels.ts';
import { kindOfLabel } from './place-words.ts';

/** A plus or a currency in a cell leaves it open. */
const SAYS = /[\p{L}\p{N}]/u;

/** Points: cells whose borders are as near stand beside each other. */
const NEXT = 4;

/** Cells with what is written in them, as a label. */
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

export function foundInCell(
  cell: Cell,
  named: NamedCells,
  page: PageMarks,
  lines: readonly TextLine[],
): readonly Found[] {
  const [width, height] = [cell.right - cell.x, cell.top - cell.y];
  const inside = page.letters.filter((letter) => SAYS.test(letter.text) && isIn(cell, letter));
  const isSquare = Math.abs(width - height) < 3 && width < 18;
  if (isSquare && inside.length === 0) {
    const label = labelRight(cell, lines) ?? labelLeft(cell.x, cell.y, lines) ?? '';
    return [{ by: 'box', kind: 'checkbox', label, box: cell }];
  }
  if (width < LEAST_WIDTH || height < 9 || isWholePage(cell, page)) return [];
  const room = within(cell, 1.5);
  if (inside.length === 0) {
    const label = labelOfCell(cell, named, lines);
    if (label === null) return [];
    const kind = kindOfLabel(label) ?? (height > 34 ? 'lines' : 'text');
    return [{ by: 'cell', kind, label, box: room }];
  }
  return isNamedBeside(cell, named, page) ? [] : besideOwnLabel(room, inside, lines);
}

/** What the cell names is written into the empty one beside it. */
function isNamedBeside(cell: Cell, named: NamedCells, { letters }: PageMarks): boolean {
  const isEmpty = (one: Cell) =>
    !letters.some((letter) => SAYS.test(letter.text) && isIn(one, letter));
  const next = [...named.keys()].find(
    (other) => Math.abs(other.x - cell.right) < NEXT && isBeside(other, cell),
  );
  return next !== undefined && isEmpty(next);
}

/** A cell that names itself in its corner, and leaves the rest open. */
function besideOwnLabel(
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

/** Of the cell to the left, or the one at the head of the column. */
function labelOfCell(cell: Cell, named: NamedCells, lines: readonly TextLine[]): string | null {
  for (const [other, label] of named) {
    if (label !== null && Math.abs(other.right - cell.x) < NEXT && isBeside(other, cell))
      return label;
  }
  const [head] = [...named]
    .filter(
      ([{ x, y }, label]) => label !== null && y >= cell.top - NEXT && Math.abs(x - cell.x) < NEXT,
    )
    .toSorted(([one], [other]) => one.y - other.y);
  return head?.[1] ?? labelLeft(cell.x, cell.y + 2, lines) ?? labelAbove(cell, lines);
}

const isBeside = (one: Cell, other: Cell): boolean =>
  one.y < other.top - 3 && one.top > other.y + 3;

/** The frame around a page's text is no place. */
const isWholePage = (cell: Cell, { box }: PageMarks): boolean =>
  areaOf(cell) > (box.width * box.height) / 3;

const within = ({ x, y, right, top }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  right: right - by,
  top: top - by,
});

/** A line that nothing stands on, with a label beside or below it. */
export function foundAtRule(
  stroke: Stroke,
  page: PageMarks,
  cells: Iterable<Cell>,
  lines: readonly TextLine[],
): readonly Found[] {
  const { x, y, right } = stroke;
  if (!isLevel(stroke) || right - x < LEAST_WIDTH * 1.5) return [];
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
  // Across the whole page it parts what stands above from what stands below.
  if (beside === null && right - x > page.box.width * 0.7 && kindOfLabel(label) === null) return [];
  const kind = kindOfLabel(label) ?? 'text';
  const box = { x, y: y + 0.5, right, top: y + 15 };
  return [{ by: 'rule', kind, label, box: withHeight(kind, box, lines) }];
}

function isBorder({ x, y, right, top }: Cell, stroke: Stroke): boolean {
  const isAt = Math.abs(stroke.y - y) < 3 || Math.abs(stroke.y - top) < 3;
  return isAt && stroke.x < right && stroke.right > x;
}

function touchesUpright({ x, y, right }: Stroke, { strokes }: PageMarks): boolean {
  return strokes.some(
    (other) =>
      !isLevel(other) &&
      other.x >= x - 2 &&
      other.x <= right + 2 &&
      other.y <= y + 2 &&
      other.top >= y - 2,
  );
}
