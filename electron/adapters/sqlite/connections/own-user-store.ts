import * as z from 'zod';
import type { OwnUserStore } from '../../../core/ports.ts';
import type { Database } from '../database/database.ts';

/**
 * Maximum number of agreements searched for one that is not shared, if there is hardly any. Any
 * match is sufficient: sorting 100,000 agreements by time takes half a second, whenever an
 * agreement is shown.
 */
const MAX_AGREEMENTS_READ = 500;

const ownerSql = `c.remote ->> '$.access.owner.id'`;

const sql = {
  /** Agreements sent by this computer belong to this user, even if other users can see them. */
  ofSent: `
    SELECT ${ownerSql} AS user FROM outbox o
    JOIN agreement a
      ON a.connection_id = o.connection_id AND a.id = o.remote_id AND a.gone IS NULL
    JOIN agreement_content c ON c.number = a.number
    WHERE o.connection_id = @connectionId AND o.kind = 'create' AND o.state = 'sent'
      AND ${ownerSql} IS NOT NULL
    ORDER BY o.updated_at DESC LIMIT 1`,
  ofUnshared: `
    SELECT ${ownerSql} AS user FROM (
      SELECT number FROM agreement
      WHERE connection_id = @connectionId AND gone IS NULL LIMIT ${MAX_AGREEMENTS_READ}) a
    JOIN agreement_content c ON c.number = a.number
    WHERE c.remote ->> '$.access.sharedWith' = 'NONE' AND ${ownerSql} IS NOT NULL LIMIT 1`,
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
