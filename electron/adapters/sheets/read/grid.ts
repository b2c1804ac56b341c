import type { SheetNotice, SheetRow } from '../../../../shared/contract/sheets.ts';

export interface GridRow {
  /** Row number in the spreadsheet, from 1. */
  readonly row: number;
  readonly cells: readonly string[];
  readonly marks: SheetRow['marks'];
}

/** Content of a file before a header is chosen: rows that are not empty, in order. */
export interface Grid {
  readonly rows: readonly GridRow[];
  readonly notices: readonly SheetNotice[];
}

export function countedNotice(code: SheetNotice['code'], count: number): readonly SheetNotice[] {
  return count === 0 ? [] : [{ code, count }];
}

/** Returns the letters of a column: A, B … Z, AA, AB … for 0, 1 … */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return (rest < 0 ? '' : columnLetters(rest)) + String.fromCharCode(65 + (index % 26));
}

/** Returns the index of a column, 0 for A; null for an invalid column. */
export function columnIndex(letters: string): number | null {
  if (!/^[A-Z]{1,3}$/.test(letters)) return null;
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}
