import type { BatchRow } from '../../../../shared/contract/batches.ts';

/**
 * Number of rows whose text determines the width, and the maximum characters of a narrow column.
 */
const MEASURED_ROWS = 50;
const NARROW_COLUMN_CHARACTERS = 7;
const MEDIUM_COLUMN_CHARACTERS = 13;

/** One track of a grid. Widths are stepped, so that an edited cell rarely moves its neighbours. */
export function columnWidth(name: string, rows: readonly BatchRow[], column: number): string {
  const texts = rows.slice(0, MEASURED_ROWS).map(({ cells }) => cells[column] ?? '');
  const longest = Math.max(name.length, ...texts.map(({ length }) => length));
  const least =
    longest <= NARROW_COLUMN_CHARACTERS ? 5 : longest <= MEDIUM_COLUMN_CHARACTERS ? 8 : 11;
  return `minmax(${String(least)}rem, 1fr)`;
}
