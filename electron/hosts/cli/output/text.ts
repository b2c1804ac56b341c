import { headOf } from '../../../../shared/rules/text/head-of-text.ts';

/** Text that is shown instead of one that this computer has no key for. */
export const UNREADABLE = '(unreadable)';

/**
 * Control characters and direction marks, with which a title from a service could redraw the
 * terminal.
 */
const TERMINAL_UNSAFE_PATTERN =
  /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const COLUMN_GAP = '  ';

/** Returns a text of another program or person in a form that is safe to print on one line. */
export function plain(text: string): string {
  return text.replace(TERMINAL_UNSAFE_PATTERN, '\ufffd');
}

/** Returns one JSON document on one line, without control characters for the terminal. */
export function json(value: unknown): string {
  return JSON.stringify(value).replace(
    TERMINAL_UNSAFE_PATTERN,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns aligned columns under a heading; the sentence `empty` if there are no rows. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const all = [heading, ...rows.map((row) => row.map(plain))];
  const widths = heading.map((_, at) =>
    all.reduce((widest, row) => Math.max(widest, width(row[at] ?? '')), 0),
  );
  return all.map((row) => line(row, widths)).join('\n');
}

/** Returns lines of `name  value`, with the names in one column. */
export function pairs(rows: readonly (readonly [name: string, value: string])[]): string {
  const widest = Math.max(0, ...rows.map(([name]) => width(name)));
  return rows.map(([name, value]) => line([name, plain(value)], [widest, 0])).join('\n');
}

/** Returns a count and its noun: `1 agreement`, `2 agreements`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map(
    (cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(cell))),
  );
  return padded.join(COLUMN_GAP).trimEnd();
}

/** Maximum width of a column, so that one long title does not fill every other line with spaces. */
const MAX_CELL_WIDTH = 120;

function width(text: string): number {
  return [...headOf(text, MAX_CELL_WIDTH)].length;
}
