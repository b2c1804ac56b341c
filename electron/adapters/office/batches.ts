import * as z from 'zod';
import { OfficeBatchNumbers } from '../../../shared/contract/office/batches.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { BatchId } from '../../../shared/model/ids.ts';
import type { OfficeBatchReports, ReportedBatch } from '../../core/office/ports.ts';
import { readRowsInParts } from './answers.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { readForSeat, sealForSeats } from './for-seats.ts';
import type { SealedFor } from './seal.ts';
import type { Statements } from './statements.ts';

const REPORT_RETENTION = "interval '7 days'";

const sql = {
  report: `
    INSERT INTO batch_progress (batch, desk, seat, sealed, key_version) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (batch, desk) DO UPDATE SET sealed = excluded.sealed,
      key_version = excluded.key_version, at = clock_timestamp()`,
  drop: `DELETE FROM batch_progress WHERE desk = $1 AND at <= statement_timestamp() - ${REPORT_RETENTION}`,
};

const listedReports = {
  id: `p.batch || ' ' || p.desk`,
  columns: `batch, desk, seat, sealed, key_version AS "keyVersion", ${epochMillisSql('p.at')} AS at`,
  bytes: 'octet_length(sealed)',
  from: `FROM batch_progress p WHERE p.at > statement_timestamp() - ${REPORT_RETENTION}`,
  order: 'p.at DESC, p.batch, p.desk',
};

const Row = z.object({
  batch: BatchId,
  desk: z.string(),
  seat: OfficeUserId,
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  at: z.number(),
});

const UNREADABLE_REPORT = {
  title: null,
  rows: 0,
  sent: 0,
  refused: 0,
  unknown: 0,
  givenUp: 0,
  waiting: 0,
  stopped: 0,
  needsPerson: 0,
  gate: 'open',
} as const;

export function createBatchReports(
  { query, command }: Pick<Statements, 'query' | 'command'>,
  { office, desk, seat, newestKey, keyOf }: ClaimContext,
): OfficeBatchReports {
  const about = (batch: BatchId, by: string): SealedFor => ({
    office,
    kind: `batch at ${by}`,
    id: batch,
    version: 1,
  });
  return {
    async report(batch, numbers) {
      const key = newestKey();
      const sealed = sealForSeats(key, about(batch, desk), numbers);
      await command(sql.report, [batch, desk, seat, sealed, key.version]);
    },
    async list() {
      const reports: ReportedBatch[] = [];
      for (const { sealed, keyVersion, ...row } of await readRowsInParts(
        { query },
        listedReports,
        [],
        Row,
      )) {
        const of = about(row.batch, row.desk);
        const numbers = await readForSeat(keyOf, { sealed, keyVersion }, of, OfficeBatchNumbers);
        reports.push({ ...row, ...(numbers ?? UNREADABLE_REPORT) });
      }
      return reports;
    },
    dropOld: () => command(sql.drop, [desk]),
  };
}
