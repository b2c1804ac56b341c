import * as z from 'zod';
import { SavedFile } from '../../../shared/contract/agreements.ts';
import { ArchiveItem } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ArchiveStore } from '../../core/ports.ts';
import { jsonColumn } from './columns.ts';
import type { Database } from './database.ts';

const sql = {
  // Archived files stay listed when their agreement's copy or connection is gone; what was never
  // archived is listed while the service can still give it, or is known to have deleted it.
  list: `
    SELECT a.connection_id AS connectionId, a.id, a.title, a.party_names AS parties,
      a.closed_at AS closedAt, a.deletes_at AS deletesAt,
      CASE WHEN f.file IS NOT NULL THEN 'archived'
           WHEN a.gone = 'deleted' THEN 'deleted-on-service'
           ELSE 'not-archived' END AS state,
      f.file, f.sha256, f.saved_at AS savedAt, a.closed_key AS closedKey
    FROM agreement a
    LEFT JOIN archive f ON f.connection_id = a.connection_id AND f.id = a.id
    WHERE a.state = 'signed' AND (f.file IS NOT NULL OR a.is_live = 1)
      AND (@connectionId IS NULL OR a.connection_id = @connectionId)
    UNION ALL
    SELECT f.connection_id, f.id, f.title, f.party_names, f.closed_at, NULL, 'archived',
      f.file, f.sha256, f.saved_at, coalesce(f.closed_at, 0)
    FROM archive f
    WHERE (@connectionId IS NULL OR f.connection_id = @connectionId)
      AND NOT EXISTS (SELECT 1 FROM agreement a
        WHERE a.connection_id = f.connection_id AND a.id = f.id AND a.state = 'signed')
    ORDER BY closedKey DESC, id`,
  saved: 'SELECT file, bytes, sha256 FROM archive WHERE connection_id = @connectionId AND id = @id',
  record: `
    INSERT INTO archive
      (connection_id, id, title, party_names, closed_at, file, bytes, sha256, saved_at)
    SELECT connection_id, id, title, party_names, closed_at, @file, @bytes, @sha256, @at
    FROM agreement WHERE connection_id = @connectionId AND id = @id
    ON CONFLICT (connection_id, id) DO UPDATE SET file = excluded.file, bytes = excluded.bytes,
      sha256 = excluded.sha256, saved_at = excluded.saved_at`,
};

const Row = ArchiveItem.extend({ parties: jsonColumn(z.array(z.string())).nullable() });

export function createArchiveStore(database: Database): ArchiveStore {
  const list = database.query(sql.list, Row);
  const saved = database.query(sql.saved, SavedFile);
  const record = database.command(sql.record);

  return {
    list: (connectionId) => list.all({ connectionId: connectionId ?? null }),
    saved: (key) => saved.first(key) ?? null,
    record: (key, file, at) => {
      if (record({ ...key, ...file, at }) === 0) {
        throw new AppError('not-found', `Agreement ${key.id} is not cached`);
      }
    },
  };
}
