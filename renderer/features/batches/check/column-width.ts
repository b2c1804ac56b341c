import type { BatchRow } from '../../../../shared/contract/batches.ts';

/** Number of rows whose text determines the width. */
const MAX_MEASURED_ROWS = 50;
/** Minimum widths (rem), each with the maximum number of characters in such a column. */
const WIDTH_STEPS = [
  { characters: 8, rem: 5 },
  { characters: 10, rem: 6 },
  { characters: 13, rem: 7.5 },
] as const;
const WIDE_COLUMN_REM = 11;

/**
 * Width of one column of a grid. Widths grow in steps, so that an edited cell rarely moves its
 * neighbours.
 */
export function columnWidth(name: string, rows: readonly BatchRow[], column: number): string {
  const texts = rows.slice(0, MAX_MEASURED_ROWS).map(({ cells }) => cells[column] ?? '');
  const longest = Math.max(name.length, ...texts.map(({ length }) => length));
  const step = WIDTH_STEPS.find(({ characters }) => longest <= characters);
  return `minmax(${String(step?.rem ?? WIDE_COLUMN_REM)}rem, 1fr)`;
}
