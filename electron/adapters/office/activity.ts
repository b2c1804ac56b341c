import * as z from 'zod';
import {
  type OfficeActivity,
  OfficeActivityKind,
  OfficeUserId,
} from '../../../shared/contract/office/office.ts';
import type { OpenOffice } from '../../core/office/ports.ts';
import { type ClaimContext, readAbout } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { seatNames } from './seats.ts';
import type { Statements } from './statements.ts';

const ACTIVITIES_PER_PAGE = 50;

// One row more than a page is read, to know whether there are more rows.
const sql = `
  SELECT id, kind, seat, state, sealed, key_version AS "keyVersion",
    ${epochMillisSql('started_at')} AS "startedAt", ${epochMillisSql('settled_at')} AS "settledAt"
  FROM operation
  WHERE ($1::uuid IS NULL
      OR (started_at, id) < (SELECT started_at, id FROM operation WHERE id = $1))
    AND ($2::uuid IS NULL OR seat = $2) AND ($3::text IS NULL OR kind = $3)
  ORDER BY started_at DESC, id DESC LIMIT ${String(ACTIVITIES_PER_PAGE + 1)}`;

const Row = z.object({
  id: z.uuid(),
  kind: OfficeActivityKind,
  seat: OfficeUserId,
  state: z.enum(['claimed', 'done', 'unknown', 'given-up', 'released']),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  startedAt: z.number(),
  settledAt: z.number().nullable(),
});

export async function readActivity(
  server: Pick<Statements, 'query'>,
  { office, keyOf }: Pick<ClaimContext, 'office' | 'keyOf'>,
  { before, seat, kind }: Parameters<OpenOffice['activity']>[0],
): ReturnType<OpenOffice['activity']> {
  const rows = await server.query(sql, [before, seat, kind], Row);
  const names = await seatNames(server, office, keyOf);
  const items: OfficeActivity[] = [];
  for (const { sealed, keyVersion, ...row } of rows.slice(0, ACTIVITIES_PER_PAGE)) {
    const about = await readAbout({ office, keyOf }, { id: row.id, sealed, keyVersion });
    items.push({ ...row, title: about?.title ?? null, seat: names.get(row.seat) ?? '' });
  }
  return { items, hasMore: rows.length > ACTIVITIES_PER_PAGE };
}
