import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import type { Value } from './records.ts';

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly mayBeNull: boolean;
  /** Whether the column is generated; it is then skipped when a row is read. */
  readonly isGenerated: boolean;
  /** Whether the column is an alias of the rowid; its value in the record is then NULL. */
  readonly isRowid: boolean;
}

export interface StoredIndex {
  readonly name: string;
  /** Names of the columns; null for the rowid and for expressions. */
  readonly columns: readonly (string | null)[];
  /** Whether the index has an entry for every row, because it is not partial. */
  readonly isWhole: boolean;
}

export interface StoredTable {
  readonly name: string;
  /** Whether rows have a rowid; false for WITHOUT ROWID tables. */
  readonly hasRowid: boolean;
  /** Columns in the order of a record. */
  readonly columns: readonly StoredColumn[];
  readonly key: readonly string[];
  readonly indexes: readonly StoredIndex[];
}

const ListedTable = z.object({ name: z.string(), type: z.string(), wr: z.number() });
const Column = z.object({
  name: z.string(),
  type: z.string(),
  notnull: z.number(),
  pk: z.number(),
  hidden: z.number(),
});
const Index = z.object({ name: z.string(), partial: z.number(), origin: z.string() });
const IndexColumn = z.object({ name: z.string().nullable() });

/** Pattern of the names of SQLite's internal tables. */
const SQLITE_NAME = /^sqlite_/u;
const VIRTUAL_TABLE_TYPE = 2;

/** Returns all tables of a data file, and the shadow tables of its full-text indexes. */
export function tablesOf(raw: Sqlite.Database): {
  readonly tables: readonly StoredTable[];
  readonly shadows: readonly StoredTable[];
} {
  const listed = rowsOf(raw, 'table_list', ListedTable)
    .filter(({ name }) => !SQLITE_NAME.test(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const ofType = (type: string): readonly StoredTable[] =>
    listed.filter((one) => one.type === type).map(({ name, wr }) => tableOf(raw, name, wr === 0));
  return { tables: ofType('table'), shadows: ofType('shadow') };
}

function tableOf(raw: Sqlite.Database, name: string, hasRowid: boolean): StoredTable {
  const all = rowsOf(raw, `table_xinfo(${name})`, Column);
  const keyed = all.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const rest = all.filter(({ pk }) => pk === 0);
  const stored = (hasRowid ? all : [...keyed, ...rest]).filter(
    ({ hidden }) => hidden !== VIRTUAL_TABLE_TYPE,
  );
  const [only] = keyed;
  const alias = hasRowid && keyed.length === 1 && only?.type === 'INTEGER' ? only.name : null;
  return {
    name,
    hasRowid,
    columns: stored.map((column) => ({
      name: column.name,
      type: column.type,
      mayBeNull: column.notnull === 0 && column.name !== alias,
      isGenerated: column.hidden !== 0,
      isRowid: column.name === alias,
    })),
    key: keyed.map((column) => column.name),
    indexes: rowsOf(raw, `index_list(${name})`, Index)
      // A WITHOUT ROWID table is itself the index of its primary key.
      .filter(({ origin }) => hasRowid || origin !== 'pk')
      .map((index) => ({
        name: index.name,
        isWhole: index.partial === 0,
        columns: rowsOf(raw, `index_xinfo(${index.name})`, IndexColumn).map((one) => one.name),
      })),
  };
}

function rowsOf<Row>(raw: Sqlite.Database, pragma: string, row: z.ZodType<Row>): readonly Row[] {
  return z.array(row).parse(raw.pragma(pragma));
}

/** Whether a record can be a row of this table; older rows may lack later columns. */
export function isRowOf({ columns }: StoredTable, values: readonly Value[]): boolean {
  if (values.length === 0 || values.length > columns.length) return false;
  return values.every((value, at) => {
    const column = columns[at];
    if (column === undefined) return false;
    if (value === null) return column.mayBeNull || column.isRowid;
    return !column.isRowid && isOfType(column.type, value);
  });
}

/** Whether a record can be an entry of this index. */
export function isEntryOf(
  { columns }: StoredTable,
  index: StoredIndex,
  values: readonly Value[],
): boolean {
  return (
    values.length === index.columns.length &&
    values.every((value, at) => {
      const name = index.columns[at] ?? null;
      const column = columns.find((one) => one.name === name);
      // Expressions may have any type.
      if (column === undefined) return name !== null || !Buffer.isBuffer(value);
      return value === null || isOfType(column.type, value);
    })
  );
}

function isOfType(type: string, value: Value): boolean {
  switch (type) {
    case 'INTEGER':
      return typeof value === 'bigint';
    case 'REAL':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'TEXT':
      return typeof value === 'string';
    case 'BLOB':
      return Buffer.isBuffer(value);
    default:
      return true;
  }
}
