import type { BatchRow } from '../../../../shared/contract/batches.ts';

/** Rows whose texts say how wide a column is, and letters up to which it is narrow. */
const JUDGED = 50;
const SHORT = 7;
const MEDIUM_WIDTH = 13;

/** One track of a grid. In steps, so that a change of one cell hardly ever moves those beside it. */
export function columnWidth(name: string, rows: readonly BatchRow[], column: number): string {
  const texts = rows.slice(0, JUDGED).map(({ cells }) => cells[column] ?? '');
  const longest = Math.max(name.length, ...texts.map(({ length }) => length));
  const least = longest <= SHORT ? 5 : longest <= MEDIUM_WIDTH ? 8 : 11;
  return `minmax(${String(least)}rem, 1fr)`;
}
