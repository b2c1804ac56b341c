import * as z from 'zod';
import { DigestKind } from '../../../../shared/contract/digest.ts';
import { Party } from '../../../../shared/model/agreement.ts';
import { AgreementId, ConnectionId } from '../../../../shared/model/ids.ts';
import type {
  BouncedParty,
  DigestRow,
  DigestRows,
  DigestStore,
} from '../../../core/digest/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const digestColumns = `
  a.connection_id AS connectionId, a.id, a.title, a.party_names AS partyNames`;
const ENDED_SQL = `
  FROM agreement_end e
  JOIN agreement a ON a.connection_id = e.connection_id AND a.id = e.agreement_id
  WHERE e.number > @since AND a.is_live = 1 AND a.state = e.state`;
/**
 * Maximum number of ended agreements that are checked individually, for speed; older ones are
 * counted as ended without a check.
 */
const MAX_CHECKED = 10_000;
const EXPIRING_AGREEMENTS_SQL = `
  FROM agreement a
  WHERE a.is_open = 1 AND a.expires_at >= @from AND a.expires_at < @to AND a.is_live = 1
    AND a.gone IS NULL AND a.state <> 'draft'`;

const sql = {
  place: 'SELECT taken_at AS takenAt, before, since, until FROM digest WHERE id = 1',
  savePlace: `
    INSERT INTO digest (id, taken_at, before, since, until)
    VALUES (1, @takenAt, @before, @since, @until)
    ON CONFLICT (id) DO UPDATE SET taken_at = excluded.taken_at, before = excluded.before,
      since = excluded.since, until = excluded.until`,
  last: 'SELECT coalesce(max(number), 0) AS number FROM agreement_end',
  endedCounts: `
    SELECT kind, sum(count) AS count FROM (
      SELECT e.state AS kind, count(*) AS count ${ENDED_SQL} AND e.number > @checked GROUP BY e.state
      UNION ALL
      SELECT state, count(*) FROM agreement_end
      WHERE number > @since AND number <= @checked
        AND connection_id IN (SELECT id FROM connection)
      GROUP BY state)
    GROUP BY kind`,
  ended: `SELECT e.state AS kind, a.closed_at AS at, ${digestColumns} ${ENDED_SQL}
    ORDER BY e.number DESC LIMIT @limit`,
  expiringCount: `SELECT 'expiring' AS kind, count(*) AS count ${EXPIRING_AGREEMENTS_SQL}`,
  expiring: `SELECT 'expiring' AS kind, a.expires_at AS at, ${digestColumns} ${EXPIRING_AGREEMENTS_SQL}
    ORDER BY a.expires_at LIMIT @limit`,
  bounced: `
    SELECT a.connection_id AS connectionId, a.id, a.title, n.address_hash AS addressHash,
      (SELECT p.value FROM json_each(c.remote, '$.parties') p
        WHERE p.value ->> '$.id' = n.party_id) AS party
    FROM reminder_party n
    JOIN agreement a ON a.connection_id = n.connection_id AND a.id = n.agreement_id
    JOIN agreement_content c ON c.number = a.number
    WHERE n.hold = 'bounced' AND a.is_open = 1 AND a.is_live = 1 AND a.gone IS NULL
    ORDER BY a.title, a.id, n.party_id`,
  trim: 'DELETE FROM agreement_end WHERE number <= @number',
};

const Numbered = z.object({ number: z.number() });
const CountedKindRow = z.object({ kind: DigestKind, count: z.number() });
const Row = z.object({
  kind: DigestKind,
  at: z.number().nullable(),
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  partyNames: jsonColumn(z.array(z.string())).nullable(),
});
const BouncedRow = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  addressHash: z.string().nullable(),
  party: jsonColumn(Party).nullable(),
});

export function createDigestStore(database: Database): DigestStore {
  const Place = z.object({
    takenAt: z.number(),
    before: z.number().nullable(),
    since: z.number(),
    until: z.number(),
  });
  const place = database.query(sql.place, Place);
  const savePlace = database.command(sql.savePlace);
  const last = database.query(sql.last, Numbered);
  const endedCounts = database.query(sql.endedCounts, CountedKindRow);
  const ended = database.query(sql.ended, Row);
  const expiringCount = database.query(sql.expiringCount, CountedKindRow);
  const expiring = database.query(sql.expiring, Row);
  const bounced = database.query(sql.bounced, BouncedRow);
  const trim = database.command(sql.trim);
  const lastNumber = (): number => last.first()?.number ?? 0;
  return {
    place: () => place.first() ?? null,
    savePlace: (next) => void savePlace({ ...next }),
    last: lastNumber,
    ended: (since, limit) => ({
      counts: countsOf(endedCounts.all({ since, checked: lastNumber() - MAX_CHECKED })),
      rows: ended.all({ since, limit }).map(rowOf),
    }),
    expiring: (from, to, limit) => ({
      counts: countsOf(expiringCount.all({ from, to })),
      rows: expiring.all({ from, to, limit }).map(rowOf),
    }),
    bounced: () =>
      bounced.all().map(({ connectionId, id, ...row }): BouncedParty => ({
        key: { connectionId, id },
        ...row,
      })),
    trim: (number) => void trim({ number }),
  };
}

function countsOf(rows: readonly z.infer<typeof CountedKindRow>[]): DigestRows['counts'] {
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

function rowOf({ connectionId, id, partyNames, ...row }: z.infer<typeof Row>): DigestRow {
  return { key: { connectionId, id }, partyNames: partyNames ?? [], ...row };
}
