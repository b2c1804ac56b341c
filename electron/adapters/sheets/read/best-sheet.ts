import type { SheetChoices } from '../../../../shared/contract/sheets.ts';
import { guessHeader } from '../../../../shared/rules/batches/header.ts';
import { kindOfHeader } from '../../../../shared/rules/batches/synonyms.ts';
import { AppError } from '../../../../shared/errors.ts';
import { type Book, readBook } from './book.ts';
import type { Grid } from './grid.ts';

/** Maximum number of sheets to read: each requires another pass over the file. */
const MAX_SHEETS = 8;
/** Number of columns with a known name that make a sheet certain to be the right table. */
const MIN_CERTAIN_COLUMNS = 2;
/** Score of a known column name: more than any number of other names. */
const KNOWN_NAME_SCORE = 100;

/**
 * Returns the most probable sheet of a workbook if the user chose none: the first visible sheet,
 * unless it is a cover page or notes and another sheet has a header.
 */
export async function readBestSheet(
  data: Uint8Array,
  first: Book,
  choices: SheetChoices,
): Promise<Book> {
  if (choices.sheet !== undefined || choices.headerRow !== undefined) return first;
  let [best, most] = [first, headerScore(first.grid)];
  if (most >= MIN_CERTAIN_COLUMNS * KNOWN_NAME_SCORE) return first;
  const others = first.sheets.filter(({ name, hidden }) => !hidden && name !== first.sheet);
  for (const { name } of others.slice(0, MAX_SHEETS)) {
    const other = await readOtherSheet(data, { ...choices, sheet: name });
    const score = other === null ? 0 : headerScore(other.grid);
    if (other !== null && score > most) [best, most] = [other, score];
  }
  return best;
}

/** Reads a sheet that the user did not choose; returns null if it is unreadable. */
async function readOtherSheet(data: Uint8Array, choices: SheetChoices): Promise<Book | null> {
  try {
    return await readBook(data, choices);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Returns a higher score for a more probable table: 0 without rows below a header, because a table
 * of one column is probably only notes.
 */
function headerScore({ rows }: Grid): number {
  const at = guessHeader(rows.map(({ cells }) => cells));
  const header = rows[at]?.cells.filter((cell) => cell.trim() !== '') ?? [];
  if (rows.length <= at + 1) return 0;
  const known = header.filter((cell) => kindOfHeader(cell) !== null).length;
  return 1 + known * KNOWN_NAME_SCORE + (header.length > 1 ? 1 : 0);
}
