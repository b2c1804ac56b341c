import * as z from 'zod';
import type { Database } from './database.ts';

const Row = z.object({ quick_check: z.string() });

/** Reads every page and says what is wrong with the first that is; null when the file is whole. */
export function findDamage(database: Database): string | null {
  const found = database.query('PRAGMA quick_check(1)', Row).first()?.quick_check;
  return found === undefined || found === 'ok' ? null : found;
}
