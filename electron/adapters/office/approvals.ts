import * as z from 'zod';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { ApprovalDecision, ApprovalRequest } from '../../../shared/rules/office/approvals.ts';
import { EACH_ITEM, type NumberFreePaths } from '../../../shared/rules/people/personal-numbers.ts';
import type { OfficeApprovals, RequestedApproval } from '../../core/office/ports.ts';
import { readRowsInParts } from './answers.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { readForSeat, sealForSeats } from './for-seats.ts';
import type { SealedFor } from './seal.ts';
import type { Statements } from './statements.ts';

/**
 * Period in which decisions are shown. Older decisions are only in the evidence of the user who
 * asked for approval.
 */
const SHOWN_PERIOD = '30 days';

const sql = {
  ask: `
    INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
    VALUES ($1, $2, $3, $4, $5)`,
  decide: `
    UPDATE approval SET decided_by = $2, decided_desk = $3, decision = $4, decision_key = $5,
      decided_at = clock_timestamp()
    WHERE id = $1 AND decided_by IS NULL RETURNING id`,
};

const listedApprovals = {
  id: 'a.id::text',
  columns: `a.id, from_seat AS "from", sealed, key_version AS "keyVersion",
    ${epochMillisSql('asked_at')} AS "askedAt", decided_by AS "decidedBy", decision,
    decision_key AS "decisionKey", ${epochMillisSql('decided_at')} AS "decidedAt"`,
  bytes: 'octet_length(sealed) + coalesce(octet_length(decision), 0)',
  // A removed user cannot receive a decision, so requests of removed users are not read.
  from: `FROM approval a
    WHERE asked_at > statement_timestamp() - interval '${SHOWN_PERIOD}'
      AND (decided_by IS NULL OR from_seat = $1)
      AND NOT EXISTS (SELECT FROM seat s WHERE s.id = a.from_seat AND s.removed_at IS NOT NULL)`,
  order: 'asked_at, a.id',
};

/** Paths of IDs of agreements and documents, which are numbers in API v2, not personal numbers. */
const APPROVAL_NUMBER_PATHS: NumberFreePaths = [
  ['service'],
  ['agreementId'],
  ['documents', EACH_ITEM, 'id'],
];

const Id = z.object({ id: z.uuid() });
const Row = Id.extend({
  from: OfficeUserId,
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  askedAt: z.number(),
  decidedBy: OfficeUserId.nullable(),
  decision: z.instanceof(Uint8Array).nullable(),
  decisionKey: z.number().nullable(),
  decidedAt: z.number().nullable(),
});
type Row = z.infer<typeof Row>;
const UNREADABLE_APPROVAL = { request: null, decision: null } as const;

export function createApprovals(
  server: Statements,
  { office, desk, seat, newestKey, keyOf }: ClaimContext,
): OfficeApprovals {
  /**
   * Returns a binding to the user who asked or decided, so that the server cannot name another
   * user.
   */
  const asked = (id: string, from: string): SealedFor => ({
    office,
    kind: `approval asked by ${from}`,
    id,
    version: 1,
  });
  const decided = (id: string, by: string): SealedFor => ({
    office,
    kind: `approval decided by ${by}`,
    id,
    version: 1,
  });
  const decisionOf = async ({ id, decidedBy, decision, decisionKey, decidedAt }: Row) => {
    if (decidedBy === null || decision === null || decisionKey === null || decidedAt === null) {
      return null;
    }
    const sealed = { sealed: decision, keyVersion: decisionKey };
    const made = await readForSeat(keyOf, sealed, decided(id, decidedBy), ApprovalDecision);
    return made === null ? 'unreadable' : { ...made, by: decidedBy, at: decidedAt };
  };
  return {
    async ask(id, request) {
      const key = newestKey();
      const sealed = sealForSeats(key, asked(id, seat), request, APPROVAL_NUMBER_PATHS);
      await server.command(sql.ask, [id, desk, seat, sealed, key.version]);
    },
    async list() {
      const found: RequestedApproval[] = [];
      for (const row of await readRowsInParts(server, listedApprovals, [seat], Row)) {
        const { id, from, askedAt } = row;
        const request = await readForSeat(keyOf, row, asked(id, from), ApprovalRequest);
        const decision = await decisionOf(row);
        const isWhole = request !== null && decision !== 'unreadable';
        found.push({
          id,
          from,
          askedAt,
          ...(isWhole ? { request, decision } : UNREADABLE_APPROVAL),
        });
      }
      return found;
    },
    async decide(id, decision) {
      const key = newestKey();
      const sealed = sealForSeats(key, decided(id, seat), decision);
      const values = [id, seat, desk, sealed, key.version];
      return (await server.query(sql.decide, values, Id)).length > 0;
    },
  };
}
