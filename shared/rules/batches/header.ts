import { headerKey, kindOfHeader } from './synonyms.ts';

/** Number of rows searched for a header; titles and notes above it rarely have more rows. */
const MAX_HEADER_SEARCH_ROWS = 20;
/** Minimum share of the columns that a header names. */
const MIN_FILLED_SHARE = 0.6;
const DIGITS_ONLY_PATTERN = /^[\d\s.,:+/-]+$/;

/**
 * Index of the most likely header row: the first that names nearly every column with different
 * words, or whose words are known. If no row qualifies, returns the index of the first row.
 */
export function guessHeader(rows: readonly (readonly string[])[]): number {
  const sample = rows.slice(0, MAX_HEADER_SEARCH_ROWS);
  const width = Math.max(0, ...sample.map(countFilled));
  const known = sample.findIndex((cells) => {
    const names = cells.filter((cell) => kindOfHeader(cell) !== null);
    return names.length >= 2 && looksLikeHeader(cells, 0);
  });
  if (known >= 0) return known;
  const found = sample.findIndex((cells) =>
    looksLikeHeader(cells, Math.ceil(width * MIN_FILLED_SHARE)),
  );
  return Math.max(0, found);
}

function looksLikeHeader(cells: readonly string[], least: number): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const keys = new Set(filled.map(headerKey));
  const isWords = filled.every((cell) => !DIGITS_ONLY_PATTERN.test(cell) && !cell.includes('@'));
  return filled.length > 0 && filled.length >= least && keys.size === filled.length && isWords;
}

const countFilled = (cells: readonly string[]): number =>
  cells.filter((cell) => cell.trim() !== '').length;
