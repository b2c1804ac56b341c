import { readCsv as validateCsv } from './judge-csv.ts';
import { referenceReadingsOf } from './judge-books.ts';
import { isSameCellValue } from './same-cell.ts';
import type { CellAt, FileResult, Kind, Reading } from './verdicts.ts';
import { readSheet } from '../../electron/adapters/sheets/read/sheet.ts';
import type { ReadSheet } from '../../electron/core/sheet-ports.ts';
import type { SheetRow } from '../../shared/contract/sheets.ts';

/**
 * Marks of cells that only inform the user: the text of a cell with these marks must still be
 * right.
 */
const HARMLESS_FLAGS = ['date', 'date-form', 'decimal', 'truth', 'formula'];
/** Notices of guesses that the user must accept before anything is sent. */
const GUESS_NOTICES = ['guessed-encoding', 'guessed-delimiter', 'double-encoded'];

/**
 * Reads a sheet as the program's thread does, including hidden rows, so that every cell can be
 * compared.
 */
export async function readTable(kind: Kind, data: Uint8Array): Promise<Reading> {
  const read = await readSheet(data, { hidden: 'read' });
  return { judge: () => compareTable(kind, data, read) };
}

async function compareTable(kind: Kind, data: Uint8Array, read: ReadSheet): Promise<FileResult> {
  const isText = read.shape.format === 'csv';
  const judges = isText
    ? [validateCsv(data, read.shape)]
    : await referenceReadingsOf(data, read.shape);
  if (judges.length === 0) return { verdict: 'unjudged', why: `no judge reads this ${kind}` };
  const differing = judges.map((cellAt) => compareCells(read, cellAt));
  const [first, ...others] = differing;
  // Judges make errors too: if any of them agrees with the program, the cell is right.
  const wrong = (first?.wrong ?? []).filter((place) =>
    others.every((other) => other.wrong.includes(place)),
  );
  if (wrong.length > 0) {
    return {
      verdict: 'wrong',
      why: `${String(wrong.length)} cells: ${wrong.slice(0, 3).join('; ')}`,
    };
  }
  const marks = [...(first?.marks ?? [])];
  const guesses = read.shape.notices
    .map(({ code }) => code)
    .filter((code) => GUESS_NOTICES.includes(code));
  const notices = [...new Set([...guesses, ...marks])];
  return notices.length > 0
    ? { verdict: 'marked', why: notices.join(', ') }
    : { verdict: 'same', why: '' };
}

interface CellComparison {
  /** Differing cells without a mark: the position and both texts of each. */
  readonly wrong: readonly string[];
  /** Marks that keep cells from being sent unchanged. */
  readonly marks: ReadonlySet<string>;
}

function compareCells({ shape, rows }: ReadSheet, cellAt: CellAt): CellComparison {
  const wrong: string[] = [];
  const marks = new Set<string>();
  const places = shape.columns.map(({ letter }) => placeOf(letter));
  for (const row of rows) {
    for (const [at, place] of places.entries()) {
      const own = blockingFlagsOf(row, at);
      for (const mark of own) marks.add(mark);
      const text = row.cells[at] ?? '';
      const said = cellAt(row.row - 1, place);
      if (own.length > 0 || said === null) continue;
      if (said.some((value) => isSameCellValue(text, value))) continue;
      const cell = `${shape.columns[at]?.letter ?? ''}${String(row.row)}`;
      wrong.push(`${cell} "${shorten(text)}", judge "${shorten(said[0])}"`);
    }
  }
  return { wrong, marks };
}

/** Returns the marks that keep a cell, or its whole row, from being sent. */
function blockingFlagsOf({ marks }: SheetRow, column: number): readonly string[] {
  return marks
    .filter(([at, mark]) => at === column || mark === 'ragged')
    .map(([, mark]) => mark)
    .filter((mark) => !HARMLESS_FLAGS.includes(mark));
}

function placeOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function shorten(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '');
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
