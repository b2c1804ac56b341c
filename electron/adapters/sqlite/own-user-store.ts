import * as z from 'zod';
import type { OwnUserStore } from '../../core/ports.ts';
import type { Database } from './database.ts';

/**
 * Where hardly anything is shared with nobody, so many are looked through, no more. Any will do: to
 * sort a hundred thousand for the newest takes half a second, at every agreement that is shown.
 */
const MOST_READ = 500;

const owner = `c.remote ->> '$.access.owner.id'`;

const sql = {
  /** What we sent is ours, whoever else may see it. */
  ofSent: `
    SELECT ${owner} AS user FROM outbox o
    JOIN agreement_content c ON c.connection_id = o.connection_id AND c.id = o.remote_id
    JOIN agreement a ON a.connection_id = c.connection_id AND a.id = c.id AND a.gone IS NULL
    WHERE o.connection_id = @connectionId AND o.kind = 'create' AND o.state = 'sent'
      AND ${owner} IS NOT NULL
    ORDER BY o.updated_at DESC LIMIT 1`,
  ofUnshared: `
    SELECT ${owner} AS user FROM (
      SELECT connection_id, id FROM agreement
      WHERE connection_id = @connectionId AND gone IS NULL LIMIT ${MOST_READ}) a
    JOIN agreement_content c ON c.connection_id = a.connection_id AND c.id = a.id
    WHERE c.remote ->> '$.access.sharedWith' = 'NONE' AND ${owner} IS NOT NULL LIMIT 1`,
};

const Row = z.object({ user: z.string() });

export function createOwnUserStore(database: Database): OwnUserStore {
  const ofSent = database.query(sql.ofSent, Row);
  const ofUnshared = database.query(sql.ofUnshared, Row);
  return {
    find: (connectionId) =>
      (ofSent.first({ connectionId }) ?? ofUnshared.first({ connectionId }))?.user ?? null,
  };
}
