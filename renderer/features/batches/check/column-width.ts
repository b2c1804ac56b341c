import type { BatchRow } from '../../../../shared/contract/batches.ts';

/**
 * Number of rows whose text determines the width, and the maximum number of characters in a narrow
 * column.
 */
const MAX_MEASURED_ROWS = 50;
const NARROW_COLUMN_CHARACTERS = 7;
const MEDIUM_COLUMN_CHARACTERS = 13;

/**
 * Width of one column of a grid. Widths grow in steps, so that an edited cell rarely moves its
 * neighbours.
 */
export function columnWidth(name: string, rows: readonly BatchRow[], column: number): string {
  const texts = rows.slice(0, MAX_MEASURED_ROWS).map(({ cells }) => cells[column] ?? '');
  const longest = Math.max(name.length, ...texts.map(({ length }) => length));
  const least =
    longest <= NARROW_COLUMN_CHARACTERS ? 5 : longest <= MEDIUM_COLUMN_CHARACTERS ? 8 : 11;
  return `minmax(${String(least)}rem, 1fr)`;
}
