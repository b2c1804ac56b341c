import type Sqlite from 'better-sqlite3';
import * as z from 'zod';

const Column = z.object({ name: z.string() });

/** Whether the file's version had this column; false if it had no such table. */
export function hasColumn(raw: Sqlite.Database, table: string, column: string): boolean {
  const columns = z.array(Column).parse(raw.pragma(`table_xinfo(${table})`));
  return columns.some(({ name }) => name === column);
}
