import * as z from 'zod';
import { listColumns, ListRow } from '../../electron/adapters/sqlite/agreements/rows.ts';
import type { Database } from '../../electron/adapters/sqlite/database/database.ts';
import { createStatements } from '../../electron/adapters/sqlite/database/statements.ts';

/** A page of the newest agreements and their number, as a list of the program has them. */
export interface PlainSearch {
  /** @param state one of the unified states, or none */
  page(match: string, state: string | null): { readonly items: number; readonly total: number };
}

const NEWEST = 50;

/**
 * The most obvious search: a full-text index over the same words next to the same table. Both are
 * joined, sorted and counted at each search.
 */
export function createPlainSearch(database: Database): PlainSearch {
  database.command(`
    CREATE VIRTUAL TABLE plain_words USING fts5 (words, content = '', prefix = '2 3')`)();
  database.transaction(() => {
    database.command(`
      INSERT INTO plain_words (rowid, words) SELECT number, search_text FROM agreement`)();
  });
  const rows = createStatements(database, ListRow);
  const totals = createStatements(database, z.object({ total: z.number() }));
  const from = `plain_words w JOIN agreement a ON a.number = w.rowid
    WHERE plain_words MATCH @match AND (@state IS NULL OR a.state = @state)`;
  return {
    page(match, state) {
      const found = rows(
        `SELECT ${listColumns} FROM ${from} ORDER BY a.updated_key DESC LIMIT ${String(NEWEST)}`,
      ).all({ match, state });
      const total = totals(`SELECT count(*) AS total FROM ${from}`).first({ match, state });
      return { items: found.length, total: total?.total ?? 0 };
    },
  };
}
