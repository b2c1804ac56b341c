import * as z from 'zod';
import { AgreementId, ConnectionId } from '../../../../shared/model/ids.ts';
import { ConnectionGate, OutboxScan } from '../../../../shared/contract/outbox.ts';
import type { OutboxStore } from '../../../core/outbox/ports.ts';
import type { Place } from '../../../core/external-state-ports.ts';
import { failureColumn, flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { jsonOrNull } from './row.ts';

/**
 * Number of attempts of all connections that are considered; older ones do not reflect the
 * service's current state.
 */
const RECENT_ATTEMPTS = 1_000;

const sql = {
  insertScan: `
    INSERT INTO pass (connection_id, credential, from_at, started_at, ended_at, server_at, pages,
      agreements, canary, is_complete, lack)
    VALUES (@connectionId, @credential, @from, @startedAt, @endedAt, @serverAt, @pages, @agreements,
      @canary, @isComplete, @lack)`,
  lastScan: 'SELECT max(number) AS number FROM pass',
  insertHit: `
    INSERT INTO hit (pass, ref, remote_id, title, sent_at, state, is_marked)
    VALUES (@pass, @ref, @remoteId, @title, @sentAt, @state, @isMarked)
    ON CONFLICT (ref, remote_id, is_marked) DO UPDATE SET pass = excluded.pass,
      state = excluded.state`,
  // A scan with another credential is inconclusive for this row, since it may not list the
  // agreements that the row's credential created. The first versions recorded no credential.
  scans: `
    SELECT number, startedAt, endedAt, "from", pages, agreements,
      is_complete AND NOT is_other AS isComplete,
      CASE WHEN lack IS NULL AND is_other THEN 'other-user' ELSE lack END AS lack
    FROM (SELECT pass.number, started_at AS startedAt, pass.ended_at AS endedAt, from_at AS "from",
      pages, agreements, is_complete, lack, coalesce((
        SELECT attempt.outcome = 'unknown' AND attempt.credential NOT IN ('', pass.credential)
        FROM attempt
        WHERE attempt.ref = @ref AND attempt.started_at <= pass.ended_at
        ORDER BY attempt.number DESC LIMIT 1), 0) AS is_other
    FROM pass JOIN outbox USING (connection_id)
    WHERE ref = @ref AND pass.ended_at >= (
      SELECT coalesce(min(started_at), outbox.created_at) FROM attempt WHERE attempt.ref = @ref))
    ORDER BY number`,
  hits: `
    SELECT remote_id AS remoteId, title, sent_at AS sentAt, state, is_marked AS isMarked FROM hit
    WHERE ref = @ref ORDER BY is_marked DESC, number`,
  gates: `
    SELECT connection_id AS connectionId, kind, until_at AS "until", reason, since FROM gate
    WHERE @connectionId IS NULL OR connection_id = @connectionId ORDER BY since, kind`,
  closeGate: `
    INSERT INTO gate (connection_id, kind, until_at, reason, since)
    VALUES (@connectionId, @kind, @until, @reason, @since)
    ON CONFLICT (connection_id, kind) DO UPDATE SET until_at = excluded.until_at,
      reason = excluded.reason`,
  openGate: 'DELETE FROM gate WHERE connection_id = @connectionId AND kind = @kind',
  outcomes: `
    SELECT CASE WHEN outcome = 'unknown' AND (state <> 'unknown' OR EXISTS (
        SELECT 1 FROM attempt AS later WHERE later.ref = attempt.ref
          AND later.number > attempt.number))
      THEN 'settled' ELSE outcome END AS outcome
    FROM attempt JOIN outbox USING (ref)
    WHERE attempt.number > (SELECT max(number) FROM attempt) - ${String(RECENT_ATTEMPTS)}
      AND connection_id = @connectionId AND kind = 'create' AND headers_sent = 1
      AND outcome IS NOT NULL
    ORDER BY attempt.number DESC LIMIT @limit`,
  countUnknown: `
    SELECT count(*) AS count FROM outbox
    WHERE state = 'unknown' AND connection_id = @connectionId AND kind = 'create'`,
  epoch: 'SELECT current, next, place FROM epoch WHERE id = 1',
  setEpoch: 'UPDATE epoch SET current = @current, next = @next, place = @place WHERE id = 1',
};

const ScanRow = OutboxScan.extend({ isComplete: flagColumn });
const HitRow = z.object({
  remoteId: AgreementId,
  title: z.string(),
  sentAt: z.number().nullable(),
  state: z.string(),
  isMarked: flagColumn,
});
const GateRow = ConnectionGate.extend({
  connectionId: ConnectionId,
  reason: failureColumn.nullable(),
});
const PlaceColumn: z.ZodType<Place> = z.object({
  computer: z.string().nullable(),
  volume: z.string().nullable(),
  file: z.string().nullable(),
  made: z.string().nullable(),
});
const EpochRow = z.object({
  current: z.number().int(),
  next: z.number().int().nullable(),
  place: jsonColumn(PlaceColumn).nullable(),
});

type ProofMethods = Pick<
  OutboxStore,
  | 'recordScan'
  | 'scans'
  | 'hits'
  | 'gates'
  | 'closeGate'
  | 'openGate'
  | 'lastOutcomes'
  | 'countUnknown'
  | 'epoch'
  | 'setEpoch'
>;

/** Stores scans with their hits, gates, and the epoch that reveals a restored copy. */
export function createProofStore(database: Database): ProofMethods {
  const insertScan = database.command(sql.insertScan);
  const lastScan = database.query(sql.lastScan, z.object({ number: z.number().int() }));
  const insertHit = database.command(sql.insertHit);
  const scans = database.query(sql.scans, ScanRow);
  const hits = database.query(sql.hits, HitRow);
  const gates = database.query(sql.gates, GateRow);
  const closeGate = database.command(sql.closeGate);
  const openGate = database.command(sql.openGate);
  const outcomes = database.query(sql.outcomes, z.object({ outcome: z.string() }));
  const countUnknown = database.query(sql.countUnknown, z.object({ count: z.number().int() }));
  const epoch = database.query(sql.epoch, EpochRow);
  const setEpoch = database.command(sql.setEpoch);
  return {
    recordScan: ({ hits: found, isComplete, ...scan }) => {
      database.transaction(() => {
        insertScan({ ...scan, isComplete: isComplete ? 1 : 0 });
        const { number } = lastScan.only();
        for (const [ref, some] of found) {
          for (const { isMarked, ...hit } of some) {
            insertHit({ ...hit, pass: number, ref, isMarked: isMarked ? 1 : 0 });
          }
        }
      });
    },
    scans: (ref) => scans.all({ ref }),
    hits: (ref) => hits.all({ ref }),
    gates: (connectionId) => gates.all({ connectionId: connectionId ?? null }),
    closeGate: ({ reason, ...gate }) => {
      closeGate({ ...gate, reason: jsonOrNull(reason) });
    },
    openGate: (connectionId, kind) => openGate({ connectionId, kind }) > 0,
    lastOutcomes: (connectionId, limit) =>
      outcomes.all({ connectionId, limit }).map(({ outcome }) => outcome),
    countUnknown: (connectionId) => countUnknown.only({ connectionId }).count,
    epoch: () => epoch.first() ?? { current: 0, next: null, place: null },
    setEpoch: ({ current, next, place }) => {
      setEpoch({ current, next, place: jsonOrNull(place) });
    },
  };
}
