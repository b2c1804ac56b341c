import type * as z from 'zod';
import type { Database, Query } from './database.ts';

/** Maximum number of cached statements; if there are more, the oldest is dropped. */
const MAX_KEPT_STATEMENTS = 200;

/** Caches read statements whose SQL depends on the query, so that each is prepared once. */
export function createStatements<Row>(database: Database, row: z.ZodType<Row>) {
  const kept = new Map<string, Query<Row>>();
  return (sql: string): Query<Row> => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT_STATEMENTS && oldest !== undefined) kept.delete(oldest);
    const query = database.query(sql, row);
    kept.set(sql, query);
    return query;
  };
}
