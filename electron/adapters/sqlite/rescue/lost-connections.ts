import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { hasColumn } from './had-columns.ts';
import type { TableLoss } from './losses.ts';
import { ApiName } from '../../../../shared/model/ids.ts';

/** Tables that refer to a connection. */
const TABLES_WITH_CONNECTION = [
  'agreement',
  'draft',
  'archive',
  'action',
  'outbox',
  'outbox_batch',
  'batch',
];

const MissingConnectionRow = z.object({ id: z.string() });
const Numbered = z.object({ number: z.number() });

/**
 * Restores connections whose row is lost as removed connections: nothing is sent or read with them,
 * and their data stays visible. Returns the number of restored connections.
 */
export function nameLostConnections(raw: Sqlite.Database, loss: TableLoss | undefined): number {
  const missing = z.array(MissingConnectionRow).parse(
    raw
      .prepare(
        TABLES_WITH_CONNECTION.filter((table) => hasColumn(raw, table, 'connection_id'))
          .map((table) => `SELECT connection_id AS id FROM ${table}`)
          .join(' UNION ')
          .replace(/^/u, 'SELECT id FROM (')
          .concat(') WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM connection) ORDER BY id'),
      )
      .all(),
  );
  for (const [at, { id }] of missing.entries()) addUnnamedConnection(raw, { id, at, loss });
  return missing.length;
}

function addUnnamedConnection(
  raw: Sqlite.Database,
  {
    id,
    at,
    loss,
  }: { readonly id: string; readonly at: number; readonly loss: TableLoss | undefined },
): void {
  raw
    .prepare(
      `INSERT INTO connection (id, name, api, url, environment, created_at, is_removed)
       VALUES (?, ?, ?, '', 'production', 0, 1)`,
    )
    .run(id, `Recovered ${String(at + 1)}`, apiOf(raw, id));
  if (!hasColumn(raw, 'connection', 'number')) return;
  const known = [...(loss?.rows.values() ?? [])].find((row) => row.get('id') === id)?.get('number');
  const seen = raw
    .prepare('SELECT connection_number AS number FROM agreement WHERE connection_id = ? LIMIT 1')
    .get(id);
  const next = raw.prepare('SELECT coalesce(max(number), 0) + 1 AS number FROM connection').get();
  const number = Numbered.safeParse(seen).data?.number ?? known ?? Numbered.parse(next).number;
  raw.prepare('UPDATE OR IGNORE connection SET number = ? WHERE id = ?').run(number, id);
}

/** Returns the API of the connection, by the connection's agreements or drafts. */
function apiOf(raw: Sqlite.Database, id: string): ApiName {
  const found = raw
    .prepare(
      `SELECT api FROM agreement WHERE connection_id = @id
       UNION ALL SELECT content ->> '$.api' FROM draft
         WHERE connection_id = @id AND json_valid(content)
       LIMIT 1`,
    )
    .pluck()
    .get({ id });
  return ApiName.safeParse(found).data ?? 'v1';
}
