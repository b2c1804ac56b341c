import * as z from 'zod';
import type { Database } from './database.ts';
import { freshSchema, SCHEMA_SQL } from './fresh-schema.ts';
import type { Migration } from './migrate.ts';

const Schema = z.object({ text: z.string() });
const Row = z.object({ quick_check: z.string() });

/**
 * Reads every page and says what is wrong with the first that is, or that tables, indexes, views and triggers
 * are not those that `migrations` make; null when the file is whole.
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
