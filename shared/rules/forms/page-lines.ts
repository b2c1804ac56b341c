import type { PageCharacter, PageMarks, PageStroke } from '../../model/page-marks.ts';

/** Characters on one line, from left to right. */
export interface TextLine {
  readonly y: number;
  readonly height: number;
  readonly letters: readonly PageCharacter[];
}

/**
 * Maximum vertical difference on one line, as a share of the character height. A superscript is
 * higher, and gets its own line.
 */
const MAX_LINE_OFFSET = 0.3;

/** Groups characters into lines, from the top of the page to its bottom. */
export function linesOf(letters: readonly PageCharacter[]): readonly TextLine[] {
  const sorted = letters.toSorted((one, other) => other.y - one.y || one.x - other.x);
  const lines: { y: number; height: number; letters: PageCharacter[] }[] = [];
  for (const letter of sorted) {
    const line = lines.at(-1);
    const isOn =
      line !== undefined &&
      line.y - letter.y <= Math.max(line.height, letter.height) * MAX_LINE_OFFSET;
    if (isOn) {
      line.letters.push(letter);
      line.height = Math.max(line.height, letter.height);
    } else lines.push({ y: letter.y, height: letter.height, letters: [letter] });
  }
  for (const line of lines) line.letters.sort((one, other) => one.x - other.x);
  return lines;
}

/** A rectangle enclosed by lines, without another one inside it. */
export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

/** Maximum distance in points between two lines that are one line, drawn twice. */
const LINE_TOLERANCE = 1.5;
/** Minimum side of a cell in points; a shorter one is the gap between two borders. */
const MIN_CELL_SIDE = 5;
/** Maximum numbers of lines and cells on a page; with more, it is squared paper, not a form. */
const MAX_LINES = 400;
const MAX_CELLS = 2000;

/** Line joined from strokes with the same direction and position, such as the dashes of a line. */
interface JoinedLine {
  readonly at: number;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** Finds the cells of tables and the boxes on a page. */
export function cellsOf({ strokes }: Pick<PageMarks, 'strokes'>): readonly Cell[] {
  const levels = rulesOf(
    strokes.filter(isHorizontal).map(({ y, x, right }) => [y, x, right] as const),
  );
  const uprights = rulesOf(
    strokes.filter((stroke) => !isHorizontal(stroke)).map(({ x, y, top }) => [x, y, top] as const),
  );
  if (levels.length > MAX_LINES || uprights.length > MAX_LINES) return [];
  const cells: Cell[] = [];
  for (const [row, above] of levels.entries()) {
    for (const [column, left] of uprights.entries()) {
      const cell = cellAt(
        { levels: levels.slice(0, row), above },
        { left, uprights: uprights.slice(column + 1) },
      );
      if (cell !== null) cells.push(cell);
      if (cells.length > MAX_CELLS) return [];
    }
  }
  return cells;
}

export const isHorizontal = ({ y, top }: PageStroke): boolean => y === top || Math.abs(top - y) < 1;

/** Finds the smallest cell whose upper left corner is the intersection of two rules. */
function cellAt(
  { levels, above }: { readonly levels: readonly JoinedLine[]; readonly above: JoinedLine },
  { left, uprights }: { readonly left: JoinedLine; readonly uprights: readonly JoinedLine[] },
): Cell | null {
  if (!coversSpan(left, above.at - MIN_CELL_SIDE, above.at)) return null;
  const right = uprights.find(
    ({ at, spans: _spans, ...rest }) =>
      at - left.at >= MIN_CELL_SIDE &&
      coversSpan({ at, spans: _spans, ...rest }, above.at - MIN_CELL_SIDE, above.at),
  );
  if (right === undefined || !coversSpan(above, left.at, right.at)) return null;
  const below = levels
    .toReversed()
    .find(
      ({ at, spans }) =>
        above.at - at >= MIN_CELL_SIDE && coversSpan({ at, spans }, left.at, right.at),
    );
  if (below === undefined) return null;
  const isWhole = coversSpan(left, below.at, above.at) && coversSpan(right, below.at, above.at);
  return isWhole ? { x: left.at, y: below.at, right: right.at, top: above.at } : null;
}

function coversSpan({ spans }: JoinedLine, from: number, to: number): boolean {
  return spans.some(
    ([begin, end]) => begin <= from + LINE_TOLERANCE * 2 && end >= to - LINE_TOLERANCE * 2,
  );
}

/** Joins strokes into rules, sorted by position, smallest first. */
function rulesOf(
  strokes: readonly (readonly [at: number, from: number, to: number])[],
): readonly JoinedLine[] {
  const sorted = strokes.toSorted(([one], [other]) => one - other);
  const rules: { at: number; spans: [number, number][] }[] = [];
  for (const [at, from, to] of sorted) {
    const rule = rules.at(-1);
    if (rule !== undefined && at - rule.at <= LINE_TOLERANCE) rule.spans.push([from, to]);
    else rules.push({ at, spans: [[from, to]] });
  }
  return rules.map(({ at, spans }) => ({ at, spans: mergeSpans(spans) }));
}

function mergeSpans(spans: readonly [number, number][]): readonly [number, number][] {
  const whole: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = whole.at(-1);
    if (last !== undefined && from - last[1] <= LINE_TOLERANCE * 2) last[1] = Math.max(last[1], to);
    else whole.push([from, to]);
  }
  return whole;
}
