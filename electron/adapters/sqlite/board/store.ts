import * as z from 'zod';
import { FailedKind } from '../../../../shared/contract/board.ts';
import type { AgreementFilter } from '../../../../shared/contract/agreement-query.ts';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import type { BoardNumbers, BoardQuery, BoardStore } from '../../../core/board/ports.ts';
import { facetSql, facetTest } from '../agreements/facets.ts';
import type { Database } from '../database/database.ts';

const intervalFromSql = `value ->> 'from'`;
const intervalToSql = `value ->> 'to'`;

/**
 * SQL for the open agreements by interval. Row -1 has the number of agreements outside all
 * intervals.
 */
const WAITING_SQL = `
  SELECT key AS at, (SELECT count(*) FROM agreement INDEXED BY agreement_open_sent
    WHERE is_open = 1 AND state <> 'draft' AND sent_at >= ${intervalFromSql} AND sent_at < ${intervalToSql} AND ${facetSql}) AS count
  FROM json_each(@stretches)
  UNION ALL
  SELECT -1, count(*) FROM agreement INDEXED BY agreement_open_sent
  WHERE is_open = 1 AND state <> 'draft' AND sent_at IS NULL AND ${facetSql}`;

const EXPIRING_SQL = `
  SELECT key AS at, (SELECT count(*) FROM agreement INDEXED BY agreement_by_expires
    WHERE expires_at >= ${intervalFromSql} AND expires_at < ${intervalToSql} AND ${facetSql}) AS count
  FROM json_each(@stretches)
  UNION ALL
  SELECT -1, count(*) FROM agreement INDEXED BY agreement_by_expires
  WHERE expires_at IS NULL AND ${facetSql}
  UNION ALL
  SELECT -2, count(*) FROM agreement INDEXED BY agreement_by_expires
  WHERE expires_at < @now AND ${facetSql}`;

/**
 * Returns SQL for the median and the 90th percentile of the durations. Negative durations count as
 * 0: a service whose clock jumped may report a signature before the sending.
 */
const rankedSql = (by: string) => `
  ranked AS (
    SELECT ${by} AS part, max(0, closed_at - sent_at) AS took,
      row_number() OVER (PARTITION BY ${by} ORDER BY closed_at - sent_at) AS place,
      count(*) OVER (PARTITION BY ${by}) AS number
    FROM timed)
  SELECT part, number AS count,
    max(CASE WHEN place = (number + 1) / 2 THEN took END) AS median,
    max(CASE WHEN place = (number * 9 + 9) / 10 THEN took END) AS ninety
  FROM ranked GROUP BY part`;

const MONTHS_SQL = `
  WITH timed AS (
    SELECT m.key AS month, a.closed_at, a.sent_at FROM json_each(@stretches) m
    CROSS JOIN agreement a INDEXED BY agreement_signing
      ON a.closed_at >= m.${intervalFromSql} AND a.closed_at < m.${intervalToSql}
    WHERE a.state = 'signed' AND a.sent_at IS NOT NULL AND ${facetSql}),
  ${rankedSql('month')} ORDER BY part`;

/**
 * SQL for the durations by local name of the template, which is known from the send on this
 * computer or from the service (v2).
 */
const TEMPLATES_SQL = `
  WITH service AS MATERIALIZED (
    SELECT json_extract(source, '$.templateId') AS id, name, min(created_at) FROM template
    WHERE json_extract(source, '$.kind') = 'service' GROUP BY 1),
  made AS MATERIALIZED (
    SELECT a.number, max(t.name) AS name FROM outbox o
    JOIN template t ON t.id = o.template_id
    JOIN agreement a ON a.connection_id = o.connection_id AND a.id = o.remote_id
    WHERE o.kind = 'create' GROUP BY a.number),
  timed AS (
    SELECT coalesce(made.name, service.name, a.template_id) AS template, a.closed_at, a.sent_at
    FROM agreement a INDEXED BY agreement_signing
    LEFT JOIN made ON made.number = a.number
    LEFT JOIN service ON service.id = a.template_id
    WHERE a.state = 'signed' AND a.closed_at >= @from AND a.closed_at < @to
      AND a.sent_at IS NOT NULL AND ${facetSql}),
  ${rankedSql('template')} ORDER BY part IS NULL, count DESC, part`;

const UNTIMED_SQL = `
  SELECT (SELECT count(*) FROM agreement INDEXED BY agreement_signing
      WHERE state = 'signed' AND closed_at IS NULL AND ${facetSql})
    + (SELECT count(*) FROM agreement INDEXED BY agreement_signing
      WHERE state = 'signed' AND closed_at >= @from AND closed_at < @to AND sent_at IS NULL
        AND ${facetSql}) AS count`;

const inConnectionSql = '(@connectionId IS NULL OR connection_id = @connectionId)';
const FAILED_SQL = `
  SELECT 'send-refused' AS kind, count(*) AS count FROM outbox
  WHERE state = 'rejected' AND ${inConnectionSql}
  UNION ALL
  SELECT 'send-unclear', count(*) FROM outbox
  WHERE state IN ('unknown', 'absent', 'human', 'duplicate') AND ${inConnectionSql}
  UNION ALL
  SELECT 'action-refused', count(*) FROM action
  WHERE is_open = 0 AND updated_at >= @since AND state = 'refused' AND ${inConnectionSql}
  UNION ALL
  SELECT 'action-unclear', count(*) FROM action WHERE state = 'unknown' AND ${inConnectionSql}
  UNION ALL
  SELECT 'archive-file', count(*) FROM archive INDEXED BY archive_damaged
  WHERE finding IN ('changed', 'missing') AND ${inConnectionSql}
  UNION ALL
  SELECT 'archive-run', coalesce(sum(max(json_extract(last, '$.failed'),
    json_extract(last, '$.failure') IS NOT NULL)), 0) FROM archive_rule
  WHERE last IS NOT NULL AND (@connectionId IS NULL
    OR json_extract(rule, '$.filter.connectionId') = @connectionId)`;

const CountedPeriodRow = z.object({ at: z.number(), count: z.number() });
const durationColumns = { count: z.number(), median: z.number(), ninety: z.number() } as const;
const MonthDurations = z.object({ part: z.number(), ...durationColumns });
const TemplateDurations = z.object({ part: z.string().nullable(), ...durationColumns });
const FailedCountRow = z.object({ kind: FailedKind, count: z.number() });

export function createBoardStore(database: Database): BoardStore {
  const waiting = database.query(WAITING_SQL, CountedPeriodRow);
  const expiring = database.query(EXPIRING_SQL, CountedPeriodRow);
  const months = database.query(MONTHS_SQL, MonthDurations);
  const templates = database.query(TEMPLATES_SQL, TemplateDurations);
  const untimed = database.query(UNTIMED_SQL, z.object({ count: z.number() }));
  const failed = database.query(FAILED_SQL, FailedCountRow);
  const number = database.query(
    'SELECT number FROM connection WHERE id = @connectionId',
    z.object({ number: z.number() }),
  );
  /** Returns the number of a connection; 0 matches no connection. */
  const numberOf = (connectionId: ConnectionId | null): number | undefined =>
    connectionId === null ? undefined : (number.first({ connectionId })?.number ?? 0);

  function signing(question: BoardQuery): BoardNumbers['signing'] {
    const { months: asked, connectionId, mostTemplates } = question;
    const facets = facetsOf({ states: ['signed'] }, numberOf(connectionId));
    const span = { from: asked[0]?.from ?? 0, to: asked.at(-1)?.to ?? 0 };
    const byTemplate = templates.all({ ...facets, ...span });
    const known = byTemplate.filter(({ part }) => part !== null);
    const shown = [...known.slice(0, mostTemplates), ...byTemplate.slice(known.length)];
    return {
      months: months
        .all({ ...facets, stretches: JSON.stringify(asked) })
        .map(({ part: at, ...rest }) => ({ at, ...rest })),
      templates: shown.map(({ part: template, ...rest }) => ({ template, ...rest })),
      moreTemplates: Math.max(0, known.length - mostTemplates),
      unknown: untimed.only({ ...facets, ...span }).count,
    };
  }

  return {
    board: (question) =>
      database.snapshot(() => {
        const { connectionId, ages, ahead, now, since } = question;
        // These agreements were sent, are open, and are still on the service.
        const open = facetsOf({ counter: 'expiring' }, numberOf(connectionId));
        const sent = waiting.all({ ...open, stretches: JSON.stringify(ages) });
        const ending = expiring.all({ ...open, stretches: JSON.stringify(ahead), now });
        return {
          waiting: { counts: countsOf(sent), unknown: countAt(sent, -1) },
          signing: signing(question),
          expiring: {
            counts: countsOf(ending),
            unknown: countAt(ending, -1),
            past: countAt(ending, -2),
          },
          failed: failed.all({ connectionId, since }),
        };
      }),
  };
}

type Counts = readonly z.infer<typeof CountedPeriodRow>[];

const countAt = (counted: Counts, place: number): number =>
  counted.find(({ at }) => at === place)?.count ?? 0;

const countsOf = (counted: Counts): readonly number[] =>
  counted
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
    .map(({ count }) => count);

function facetsOf(filter: AgreementFilter, connection: number | undefined) {
  const test = facetTest(filter, connection);
  if (test === null) throw new Error('No agreement could be counted');
  const { mask, bits, states } = test;
  return { mask, bits, states };
}
