import Sqlite from 'better-sqlite3';
import type { StoredTable } from './model.ts';
import { isRowOf } from './model.ts';
import type { Value } from './records.ts';
import type { StoredRow } from './tree.ts';

/** Tables whose initial rows are replaced by the stored ones. */
const SEEDED_TABLES = new Set(['search_state', 'epoch']);

/** Inserts rows of a damaged file unchanged. */
export class RowWriter {
  readonly #raw: Sqlite.Database;
  /** Insert statements by table and number of values. */
  readonly #inserts = new Map<string, Sqlite.Statement>();

  constructor(raw: Sqlite.Database) {
    this.#raw = raw;
  }

  /** Inserts a row. Returns false if the table rejects the row. */
  write(table: StoredTable, { rowid, values }: StoredRow): boolean {
    if (!isRowOf(table, values) || (rowid !== null) !== table.hasRowid) return false;
    try {
      this.#insert(table, values.length).run(parametersOf(table, rowid, values));
      return true;
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) {
        return false;
      }
      throw error;
    }
  }

  /** Inserts all rows or none. Returns false if the table rejects one of them. */
  writeAll(table: StoredTable, rows: readonly StoredRow[], isKept: boolean): boolean {
    this.#raw.exec('SAVEPOINT page');
    const isTaken = rows.every((row) => this.write(table, row));
    if (!isTaken || !isKept) this.#raw.exec('ROLLBACK TO page');
    this.#raw.exec('RELEASE page');
    return isTaken;
  }

  #insert(table: StoredTable, length: number): Sqlite.Statement {
    const name = `${table.name} ${String(length)}`;
    const known = this.#inserts.get(name);
    if (known !== undefined) return known;
    const columns = writtenColumns(table, length);
    const names = [...(table.hasRowid ? ['rowid'] : []), ...columns];
    const verb = SEEDED_TABLES.has(table.name) ? 'INSERT OR REPLACE' : 'INSERT';
    const places = names.map(() => '?').join(', ');
    const made = this.#raw.prepare(
      `${verb} INTO ${table.name} (${names.map(quoteName).join(', ')}) VALUES (${places})`,
    );
    this.#inserts.set(name, made);
    return made;
  }
}

/**
 * Returns the columns that a row has values for; columns added later than the row get their
 * default.
 */
function writtenColumns({ columns }: StoredTable, length: number): readonly string[] {
  return columns
    .slice(0, length)
    .filter(({ isGenerated, isRowid }) => !isGenerated && !isRowid)
    .map(({ name }) => name);
}

function parametersOf(
  { columns }: StoredTable,
  rowid: bigint | null,
  values: readonly Value[],
): readonly Value[] {
  const written = values.filter((_, at) => {
    const column = columns[at];
    return column !== undefined && !column.isGenerated && !column.isRowid;
  });
  return rowid === null ? written : [rowid, ...written];
}

const quoteName = (name: string): string => `"${name}"`;
