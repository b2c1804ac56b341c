import * as z from 'zod';
import { AgreementKey, ConnectionId } from '../../../../shared/model/ids.ts';
import type { AgreementLists } from '../../../core/agreements/ports.ts';
import type { AgreementStore } from '../../../core/ports.ts';
import { connectionSql, isClosedSql } from './facets.ts';
import { createOneService } from '../connections/one-service.ts';
import { flagColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/**
 * SQL for whether a signed agreement is in the archive, and the service was read after it was
 * saved. For other final states, an archived copy is required only if an archive rule keeps that
 * state.
 */
const isKeptElsewhere = `((a.is_live = 0 OR (
    (a.archived = 0 OR c.checked_at >= (SELECT f.saved_at FROM archive f
      WHERE f.connection_id = a.connection_id AND f.id = a.id))
    AND (a.gone = 'deleted' OR iif(a.state = 'signed', a.archived,
      EXISTS (SELECT 1 FROM archive_extra e WHERE e.connection_id = a.connection_id
        AND e.id = a.id AND e.kind = 'unsigned')
      OR NOT EXISTS (SELECT 1 FROM archive_rule r, json_each(r.rule, '$.filter.states') s
        WHERE s.value = a.state AND coalesce(r.rule ->> '$.filter.connectionId', a.connection_id)
          = a.connection_id))))) IS TRUE)`;

/** SQL for whether no action or send of this agreement is open or of unknown outcome. */
const isSettled = `(NOT EXISTS (SELECT 1 FROM action d
    WHERE d.connection_id = a.connection_id AND d.agreement_id = a.id AND d.is_open = 1)
  AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.ref = a.ref AND o.is_open = 1)
  AND NOT EXISTS (SELECT 1 FROM outbox o
    WHERE o.connection_id = a.connection_id AND o.remote_id = a.id AND o.is_open = 1))`;

const sql = {
  // Rows of the archive, the outbox and the journals refer to the agreement by ID, and stay.
  note: `
    INSERT INTO agreement_forgotten
      (connection_id, id, native_state, updated_at, closed_at, forgotten_at, seen_at)
    SELECT connection_id, id, native_state, updated_at, closed_at, @at, seen_at
    FROM agreement WHERE connection_id = @connectionId AND id = @id
    ON CONFLICT (connection_id, id) DO NOTHING`,
  copies: `
    SELECT connection_id AS connectionId, id FROM agreement
    WHERE id = @id AND connection_id IN (SELECT value FROM json_each(@connections))`,
  remove: 'DELETE FROM agreement WHERE connection_id = @connectionId AND id = @id',
  due: `
    SELECT a.connection_id AS connectionId, a.id, a.done_at AS doneAt, a.rowid AS row,
      ${isKeptElsewhere} AND ${isSettled} AS mayGo
    FROM agreement a INDEXED BY agreement_by_done JOIN connection c ON c.id = a.connection_id
    WHERE a.done_at < @before AND (a.done_at, a.rowid) > (@doneAt, @row)
    ORDER BY a.done_at, a.rowid LIMIT @limit`,
  // Each condition is evaluated once, and not at all if the agreement is too young.
  retirable: `
    WITH judged AS MATERIALIZED (
      SELECT a.done_at AS doneAt, a.bytes,
        a.done_at >= @before AS isYoung,
        iif(a.done_at < @before, ${isSettled}, NULL) AS isSettled,
        iif(a.done_at < @before, ${isKeptElsewhere}, NULL) AS isKept
      FROM agreement a JOIN connection c ON c.id = a.connection_id
      WHERE a.done_at IS NOT NULL)
    SELECT count(*) FILTER (WHERE isSettled AND isKept) AS number,
      coalesce(sum(bytes) FILTER (WHERE isSettled AND isKept), 0) AS bytes,
      min(doneAt) FILTER (WHERE isSettled AND isKept) AS oldest,
      count(*) FILTER (WHERE isYoung) AS younger,
      count(*) FILTER (WHERE NOT isSettled) AS unsettled,
      count(*) FILTER (WHERE isSettled AND NOT isKept) AS notArchived
    FROM judged`,
  sizes: `
    SELECT c.id AS connectionId, c.is_removed = 0 AS live, sum(t.number) AS agreements,
      coalesce(sum(t.number) FILTER (WHERE ${isClosedSql}), 0) AS closed, sum(t.bytes) AS bytes
    FROM agreement_tally t JOIN connection c ON c.number = ${connectionSql}
    WHERE t.number > 0
    GROUP BY c.id ORDER BY c.is_removed, c.created_at, c.name`,
  pages: `
    SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
};

const DueRow = AgreementKey.extend({ doneAt: z.number(), row: z.number(), mayGo: flagColumn });

const FIRST_REMOVAL_KEY = { doneAt: Number.MIN_SAFE_INTEGER, row: 0 };

const SizeRow = z.object({
  connectionId: ConnectionId,
  live: flagColumn,
  agreements: z.number(),
  closed: z.number(),
  bytes: z.number(),
});

const RetirableRow = z.object({
  number: z.number(),
  bytes: z.number(),
  oldest: z.number().nullable(),
  younger: z.number(),
  unsettled: z.number(),
  notArchived: z.number(),
});

type RemovalStore = Pick<AgreementStore, 'copiesOf' | 'forget' | 'retire' | 'storage'>;

/** Removes agreements. Triggers also remove them from the search index and the counts. */
export function createRemoval(database: Database): RemovalStore {
  const note = database.command(sql.note);
  const remove = database.command(sql.remove);
  const due = database.query(sql.due, DueRow);
  const sizes = database.query(sql.sizes, SizeRow);
  const pages = database.query(sql.pages, z.object({ bytes: z.number() }));
  const copies = database.query(sql.copies, AgreementKey);
  const reaching = createOneService(database);
  const reachingAll = (keys: readonly AgreementKey[]) =>
    new Map(
      [...new Set(keys.map(({ connectionId }) => connectionId))].map((id) => [id, reaching(id)]),
    );

  const forget: RemovalStore['forget'] = (keys, at) =>
    database.transaction(() =>
      keys.reduce((removed, key) => {
        note({ ...key, at });
        return removed + remove({ ...key });
      }, 0),
    );

  return {
    copiesOf: (keys) => {
      const services = reachingAll(keys);
      const found = keys.flatMap(({ connectionId, id }) => [
        ...copies.all({ id, connections: services.get(connectionId) ?? '[]' }),
      ]);
      return [...new Map([...keys, ...found].map((key) => [removalKeyOf(key), key])).values()];
    },
    forget,
    // If a power failure undoes a removal, the agreement is due again next time.
    retire: ({ before, after, limit, at }) =>
      database.quickTransaction(() => {
        const rows = [...due.all({ before, limit, ...(after ?? FIRST_REMOVAL_KEY) })];
        const keys = rows.filter(({ mayGo }) => mayGo);
        const last = rows.length < limit ? undefined : rows.at(-1);
        return {
          removed: forget(keys, at),
          next: last === undefined ? null : { doneAt: last.doneAt, row: last.row },
        };
      }),
    storage: () => ({
      fileBytes: pages.only().bytes,
      connections: [...sizes.all()],
    }),
  };
}

const removalKeyOf = ({ connectionId, id }: AgreementKey): string => `${connectionId} ${id}`;

/** Counts the agreements that `retire` would remove. */
export function createRetirable(database: Database): AgreementLists['retirable'] {
  const retirable = database.query(sql.retirable, RetirableRow);
  return (before) => retirable.only({ before });
}
