import * as z from 'zod';
import type { Database } from './database.ts';
import { freshSchema, SCHEMA_SQL } from './fresh-schema.ts';
import type { Migration } from './migrate.ts';

const Schema = z.object({ text: z.string() });
const Row = z.object({ quick_check: z.string() });

/**
 * Checks every page, and compares the schema with that of `migrations`. Returns the first fault, or
 * null if the file is intact.
 */
export function findDamage(database: Database, migrations: readonly Migration[]): string | null {
  const found = database.query('PRAGMA quick_check(1)', Row).first()?.quick_check;
  if (found !== undefined && found !== 'ok') return found;
  const newest = migrations.at(-1)?.version ?? 0;
  const schema = database.query(SCHEMA_SQL, Schema).first()?.text;
  return schema === freshSchema(migrations, newest)
    ? null
    : 'its schema is not that of this program';
}
