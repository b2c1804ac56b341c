import * as z from 'zod';
import type { OfficeEvidenceEnds } from '../../core/office/ports.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import type { Statements } from './statements.ts';

const sql = {
  note: `
    INSERT INTO evidence_end (log, entries, hash, desk, seat) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (log, entries, hash, seat) DO NOTHING`,
  // Ends of this log that other users noted prove nothing.
  read: `
    SELECT log, entries, hash, ${epochMillisSql('noted_at')} AS at FROM evidence_end
    WHERE log = ANY ($1::text[]) AND seat = $2 ORDER BY noted_at, entries`,
};

const Row = z.object({ log: z.string(), entries: z.number(), hash: z.string(), at: z.number() });

/**
 * Stores the ends of evidence logs in the office. A hash reveals nothing about the content of the
 * log.
 */
export function createEvidenceEnds(
  { query, command }: Statements,
  { desk, seat }: Pick<ClaimContext, 'desk' | 'seat'>,
): OfficeEvidenceEnds {
  return {
    note: (log, { entries, hash }) => command(sql.note, [log, entries, hash, desk, seat]),
    read: (logs) => query(sql.read, [logs, seat], Row),
  };
}
