import * as z from 'zod';
import { AgreementId } from '../../../../shared/model/ids.ts';
import type { FullReading, OpenCount, SyncStore } from '../../../core/sync/ports.ts';
import type { Database } from '../database/database.ts';

const isOpen = `gone IS NULL AND state IN ('waiting', 'part-signed')`;
const isOfConnectionSql = 'a.connection_id = @connectionId';

const sql = {
  full: `
    SELECT full_started_at AS startedAt, full_server_time AS serverTime, full_total AS total,
      full_position AS position, full_pages AS pages
    FROM sync_state WHERE connection_id = @connectionId AND full_started_at IS NOT NULL`,
  saveFull: `
    INSERT INTO sync_state (connection_id, full_started_at, full_server_time, full_total,
      full_position, full_pages)
    VALUES (@connectionId, @startedAt, @serverTime, @total, @position, @pages)
    ON CONFLICT (connection_id) DO UPDATE SET full_started_at = excluded.full_started_at,
      full_server_time = excluded.full_server_time, full_total = excluded.full_total,
      full_position = excluded.full_position, full_pages = excluded.full_pages`,
  endFull: `
    INSERT INTO sync_state (connection_id, complete_at) VALUES (@connectionId, @startedAt)
    ON CONFLICT (connection_id) DO UPDATE SET complete_at = excluded.complete_at,
      full_started_at = NULL, full_server_time = NULL, full_total = NULL, full_position = NULL, full_pages = NULL`,
  // Marks a reading as started in 1970, too old to be continued.
  beginAnew: `
    INSERT INTO sync_state (connection_id, full_started_at)
    SELECT c.id, 0 FROM connection c LEFT JOIN sync_state s ON s.connection_id = c.id
    WHERE c.is_removed = 0 AND (s.full_started_at IS NOT NULL OR c.checked_until > @now)
    ON CONFLICT (connection_id) DO UPDATE SET full_started_at = 0, full_server_time = NULL,
      full_total = NULL, full_position = NULL, full_pages = NULL`,
  readUntilNow: 'UPDATE connection SET checked_until = min(checked_until, @now)',
  openCount: `
    SELECT swept_at AS sweptAt, open_told AS count, open_difference AS difference
    FROM sync_state WHERE connection_id = @connectionId AND swept_at IS NOT NULL`,
  saveOpenCount: `
    INSERT INTO sync_state (connection_id, swept_at, open_told, open_difference)
    VALUES (@connectionId, @sweptAt, @count, @difference)
    ON CONFLICT (connection_id) DO UPDATE SET swept_at = excluded.swept_at,
      open_told = excluded.open_told, open_difference = excluded.open_difference`,
  // The service still lists an agreement that was erased on this computer; it does not count as
  // new.
  known: `
    SELECT (SELECT count(*) FROM agreement a
        WHERE ${isOfConnectionSql} AND a.id IN (SELECT value FROM json_each(@ids)))
      + (SELECT count(*) FROM agreement_forgotten a
        WHERE ${isOfConnectionSql} AND a.id IN (SELECT value FROM json_each(@ids))) AS number`,
  countSeenSince: `
    SELECT (SELECT count(*) FROM agreement a WHERE ${isOfConnectionSql} AND gone IS NULL AND seen_at >= @at)
      + (SELECT count(*) FROM agreement_forgotten a WHERE ${isOfConnectionSql} AND seen_at >= @at) AS number`,
  countOpenSeenSince: `
    SELECT count(*) AS number FROM agreement a WHERE ${isOfConnectionSql} AND ${isOpen} AND seen_at >= @at`,
  // v2 does not list revoked agreements (API v2, "List Agreements"), so their absence proves
  // nothing.
  missing: `
    SELECT id, seen_at AS seenAt FROM agreement a
    WHERE ${isOfConnectionSql} AND gone IS NULL AND NOT (api = 'v2' AND state = 'revoked')
      AND seen_at < (SELECT complete_at FROM sync_state WHERE connection_id = @connectionId)
    ORDER BY seen_at LIMIT @limit`,
  left: `
    SELECT id, seen_at AS seenAt FROM agreement a
    WHERE ${isOfConnectionSql} AND ${isOpen}
      AND seen_at < (SELECT swept_at FROM sync_state WHERE connection_id = @connectionId)
    ORDER BY seen_at LIMIT @limit`,
  expired: `
    SELECT id, seen_at AS seenAt FROM agreement a
    WHERE ${isOfConnectionSql} AND ${isOpen} AND expires_at IS NOT NULL AND expires_at <= @now
      AND seen_at < expires_at
    ORDER BY expires_at LIMIT @limit`,
  deleted: `
    SELECT id, seen_at AS seenAt FROM agreement a
    WHERE ${isOfConnectionSql} AND gone IS NULL AND deletes_at IS NOT NULL AND deletes_at <= @now
      AND seen_at < deletes_at
    ORDER BY deletes_at LIMIT @limit`,
};

const FullRow = z.object({
  startedAt: z.number(),
  serverTime: z.number().nullable(),
  total: z.number().nullable(),
  position: z.number().nullable(),
  pages: z.number().nullable(),
});
const OpenRow = z.object({ sweptAt: z.number(), count: z.number(), difference: z.number() });
const NumberRow = z.object({ number: z.number() });
const StaleRow = z.object({ id: AgreementId, seenAt: z.number() });

export function createSyncStore(database: Database): SyncStore {
  const full = database.query(sql.full, FullRow);
  const saveFull = database.command(sql.saveFull);
  const endFull = database.command(sql.endFull);
  const beginAnew = database.command(sql.beginAnew);
  const readUntilNow = database.command(sql.readUntilNow);
  const openCount = database.query(sql.openCount, OpenRow);
  const saveOpenCount = database.command(sql.saveOpenCount);
  const known = database.query(sql.known, NumberRow);
  const countSeenSince = database.query(sql.countSeenSince, NumberRow);
  const countOpenSeenSince = database.query(sql.countOpenSeenSince, NumberRow);
  const possiblyStale = [sql.expired, sql.deleted, sql.left, sql.missing].map((text) =>
    database.query(text, StaleRow),
  );

  return {
    full: (connectionId) => readFull(full.first({ connectionId })),
    saveFull: (connectionId, { startedAt, serverTime, total, place }) => {
      const { position = null, pages = null } = place ?? {};
      saveFull({ connectionId, startedAt, serverTime, total, position, pages });
    },
    endFull: (connectionId, startedAt) => {
      endFull({ connectionId, startedAt });
    },
    readAnew: (now) =>
      database.transaction(() => {
        beginAnew({ now });
        readUntilNow({ now });
      }),
    openCount: (connectionId): OpenCount | null => openCount.first({ connectionId }) ?? null,
    saveOpenCount: (connectionId, { sweptAt, count, difference }) => {
      saveOpenCount({ connectionId, sweptAt, count, difference });
    },
    known: (connectionId, agreements) =>
      known.only({ connectionId, ids: JSON.stringify(agreements) }).number,
    countSeenSince: (connectionId, at) => countSeenSince.only({ connectionId, at }).number,
    countOpenSeenSince: (connectionId, at) => countOpenSeenSince.only({ connectionId, at }).number,
    possiblyStale: (connectionId, now, limit) => {
      const found = possiblyStale.flatMap((query) => query.all({ connectionId, now, limit }));
      const oldestFirst = found.toSorted((a, b) => a.seenAt - b.seenAt).map(({ id }) => id);
      return [...new Set(oldestFirst)].slice(0, limit);
    },
  };
}

function readFull(row: z.infer<typeof FullRow> | undefined): FullReading | null {
  if (row === undefined) return null;
  const { startedAt, serverTime, total, position, pages } = row;
  return { startedAt, serverTime, total, place: pages === null ? null : { position, pages } };
}
