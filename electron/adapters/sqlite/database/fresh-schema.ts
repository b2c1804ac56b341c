import Sqlite from 'better-sqlite3';
import type { Migration } from './migrate.ts';

const SQL = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

/** SQL for the tables, indexes, views and triggers of a data file, as one text. */
export const SCHEMA_SQL = `SELECT json_group_array(json_array(type, name, tbl_name, sql)) AS text FROM (${SQL})`;

/**
 * Returns the schema text of a file made only by the migrations up to `version`. Comparing it finds
 * foreign SQL in a data file, such as a trigger, which would act on later writes.
 */
export function freshSchema(migrations: readonly Migration[], version: number): string {
  const fresh = new Sqlite(':memory:');
  try {
    for (const { sql, fill } of migrations.filter((step) => step.version <= version)) {
      fresh.exec(sql);
      fill?.(fresh);
    }
    return schemaOf(fresh);
  } finally {
    fresh.close();
  }
}

export const schemaOf = (raw: Sqlite.Database): string =>
  String(raw.prepare(SCHEMA_SQL).pluck().get());
