import Sqlite from 'better-sqlite3';
import type { Migration } from './migrate.ts';

const sql = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

/**
 * Whether a data file has the tables, indexes, views and triggers that the migrations up to its version
 * make, and nothing beside them: SQL of somebody else in it would work on whatever is written later.
 */
export function hasOwnSchema(raw: Sqlite.Database, migrations: readonly Migration[]): boolean {
  const version = Number(raw.pragma('user_version', { simple: true }));
  const fresh = new Sqlite(':memory:');
  try {
    for (const { sql: made, fill } of migrations.filter((step) => step.version <= version)) {
      fresh.exec(made);
      fill?.(fresh);
    }
    return schemaOf(raw) === schemaOf(fresh);
  } finally {
    fresh.close();
  }
}

const schemaOf = (raw: Sqlite.Database): string => JSON.stringify(raw.prepare(sql).raw().all());
