import type { CellFlag, SheetRow, SheetShape } from '../../contract/sheets.ts';
import { AppError } from '../../errors.ts';
import { ApiName } from '../../model/ids.ts';
import { foldName } from '../files/file-name.ts';
import { peopleReader } from '../people/table.ts';
import type { Day } from '../time/days.ts';
import {
  type IntakeData,
  type IntakeParty,
  EMPTY_INTAKE_DATA,
  partyOf,
  intakeDataError,
} from './data.ts';
import { isPlainName } from './names.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Data for one PDF from the rows of a spreadsheet, or the error in them. */
export type SheetWord =
  | { readonly file: string; readonly data: IntakeData; readonly failure: null }
  | { readonly file: string; readonly data: null; readonly failure: AppError };

type Column = 'file' | 'title' | 'api' | 'connection' | 'template' | 'role';

/** Folded names of the columns; the address book knows the columns of a person. */
const columnTitlesByKind: Readonly<Record<Column, readonly string[]>> = {
  file: ['file', 'filename', 'file name', 'pdf', 'fil', 'filnamn', 'filnavn', 'datei', 'dateiname'],
  title: ['title', 'titel', 'tittel', 'rubrik', 'otsikko', 'agreement', 'avtal'],
  api: ['api'],
  connection: ['connection', 'anslutning'],
  template: ['template', 'mall'],
  role: ['role', 'roll', 'part'],
};

/**
 * Changes by a spreadsheet program that are accepted, because the user reviews the value anyway.
 */
const harmlessCellFlags: ReadonlySet<CellFlag> = new Set([
  'date',
  'date-form',
  'decimal',
  'truth',
  'formula',
]);
const MAX_PARTIES = 100;

/** Whether a spreadsheet with these columns is about PDFs; otherwise each row is an agreement. */
export const isAboutFiles = (titles: readonly string[]): boolean =>
  titles.some((title) => columnOf(title) === 'file');

/**
 * Reads the data for each named PDF, by folded name. Each row is a party. Rows with the same file
 * are the parties of one agreement, and a value in one of them applies to the agreement. Throws
 * 'invalid' with 'intake-data' if a row names a file in another folder, or no file: an empty cell
 * may mean the file of the row above.
 */
export function readIntakeSheet(
  shape: Pick<SheetShape, 'columns'>,
  rows: readonly SheetRow[],
  today: Day,
): ReadonlyMap<string, SheetWord> {
  const titles = shape.columns.map(({ name }) => name);
  const columns = titles.map(columnOf);
  const at = columns.indexOf('file');
  const byFile = new Map<string, SheetRow[]>();
  for (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    const file = (row.cells[at] ?? '').trim();
    if (!isPlainName(file)) throw intakeDataError('row-file', row.row);
    const folded = foldName(file);
    const known = byFile.get(folded);
    if (known === undefined) byFile.set(folded, [row]);
    else known.push(row);
  }
  const reader = peopleReader(
    titles.map((title, index) => (columns[index] === null ? title : '')),
    today,
  );
  const spec = { titles, columns, reader, today };
  return new Map([...byFile].map(([folded, own]) => [folded, sheetWordOf(own, at, spec)]));
}

interface SheetSpec {
  readonly titles: readonly string[];
  readonly columns: readonly (Column | null)[];
  readonly reader: ReturnType<typeof peopleReader>;
  readonly today: Day;
}

function sheetWordOf(rows: readonly SheetRow[], at: number, spec: SheetSpec): SheetWord {
  const file = (rows[0]?.cells[at] ?? '').trim();
  try {
    return { file, data: dataOf(rows, spec), failure: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { file, data: null, failure: error };
  }
}

function dataOf(rows: readonly SheetRow[], spec: SheetSpec): IntakeData {
  for (const row of rows) requireHarmless(row);
  if (rows.length > MAX_PARTIES) throw intakeDataError('rows-many', MAX_PARTIES);
  const said = (column: Column): string | null => singleValueIn(rows, spec.columns.indexOf(column));
  const api = said('api');
  const parsed = ApiName.safeParse(api?.toLowerCase());
  if (api !== null && !parsed.success) throw intakeDataError('api');
  return {
    ...EMPTY_INTAKE_DATA,
    title: said('title'),
    api: parsed.success ? parsed.data : null,
    connection: said('connection'),
    template: said('template'),
    parties: rows.flatMap((row) => partyIn(row, spec)),
    others: otherValuesIn(rows, spec),
  };
}

function requireHarmless({ row, marks }: SheetRow): void {
  const found = marks.find(([, mark]) => !harmlessCellFlags.has(mark));
  if (found === undefined) return;
  throw intakeDataError('cell', row);
}

/** Value of a column in the rows; null if no row has a value. Throws if two values differ. */
function singleValueIn(rows: readonly SheetRow[], at: number): string | null {
  const texts = new Set(rows.map(({ cells }) => (cells[at] ?? '').trim()));
  texts.delete('');
  if (texts.size > 1) {
    throw intakeDataError('rows-differ', rows.map(({ row }) => row).join(', '));
  }
  return [...texts][0] ?? null;
}

/** Party of a row, in a list; empty if the row has no data of a person. */
function partyIn({ row, cells }: SheetRow, { columns, reader, today }: SheetSpec): IntakeParty[] {
  const own = cells.map((cell, index) => (columns[index] === null ? cell : ''));
  const { kind, ...facts } = reader.read(own).person;
  if (Object.values(facts).every((text) => text === undefined || text === '')) return [];
  const role = (cells[columns.indexOf('role')] ?? '').trim();
  return [
    partyOf({ kind, ...facts, ...(role !== '' && { role }) }, { code: 'row', at: row }, today),
  ];
}

function otherValuesIn(rows: readonly SheetRow[], { titles, columns, reader }: SheetSpec) {
  const unknown = new Set(reader.ignored);
  const others = titles.flatMap((title, index): [string, string][] => {
    if (columns[index] !== null || !unknown.has(title)) return [];
    const text = rows.map(({ cells }) => (cells[index] ?? '').trim()).find((one) => one !== '');
    return text === undefined ? [] : [[title, text]];
  });
  return Object.fromEntries(others);
}

function columnOf(title: string): Column | null {
  const folded = title
    .toLowerCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();
  for (const column of columnNames) if (columnTitlesByKind[column].includes(folded)) return column;
  return null;
}

const columnNames = ['file', 'title', 'api', 'connection', 'template', 'role'] as const;
