import * as z from 'zod';
import type {
  ClaimResult,
  OfficeClaims,
  OfficeReminder,
  OpenOperation,
  OperationDescription,
} from '../../core/office/ports.ts';
import { readRowsInParts } from './answers.ts';
import type { OfficeMark } from '../../core/mark-ports.ts';
import { allHolders, claimAll, newestHolders } from './claim.ts';
import {
  type NumberFreePaths,
  isMaskedText,
} from '../../../shared/rules/people/personal-numbers.ts';
import { epochMillisSql } from './columns.ts';
import { requireLease } from './lease.ts';
import { sealForSeats, unsealForSeat } from './for-seats.ts';
import { raiseMark } from './marks.ts';
import { type OfficeKey, nullIfUnreadable, type SealedFor } from './seal.ts';
import type { Transactions } from './server.ts';

/** Identity and keys of the computer that makes a request. */
export interface ClaimContext {
  readonly office: string;
  readonly desk: string;
  readonly seat: string;
  /** Returns the key that seals new content. */
  readonly newestKey: () => OfficeKey;
  /** Mark by which this computer detects that the office was restored to an older state. */
  readonly mark: OfficeMark;
  /** Returns a key; requests it from the office if this computer does not know the key yet. */
  readonly keyOf: (version: number) => Promise<OfficeKey>;
}

/**
 * Maximum number of operations per transaction. Other computers that need the same keys wait for
 * the whole transaction.
 */
const MAX_OPERATIONS_AT_ONCE = 1000;

const sql = {
  // Any computer can report an operation as done; only the operation's own computer reports other
  // outcomes. An operation that another user began is given up instead of released, so that a
  // person decides before the same agreement is sent again.
  settle: `
    UPDATE operation o SET state = s.state, settled_at = clock_timestamp()
    FROM (SELECT g.id, CASE WHEN g.state = 'released' AND coalesce(b.claimed_by, b.seat) <> $4
        THEN 'given-up' ELSE g.state END AS state
      FROM unnest($1::uuid[], $2::text[]) g (id, state) JOIN operation b ON b.id = g.id
      ORDER BY g.id) s
    WHERE o.id = s.id AND o.state <> s.state AND o.state <> 'done'
      AND (s.state = 'done' OR (o.desk = $3 AND o.state <> 'released'))`,
  unsettled: `
    SELECT id FROM operation WHERE state IN ('claimed', 'unknown') AND desk = $1`,
  reminded: `
    SELECT id, state = 'released' AS "isReleased", sealed, key_version AS "keyVersion",
      ${epochMillisSql('started_at')} AS "startedAt", ${epochMillisSql('moved_at')} AS "movedAt"
    FROM operation
    WHERE kind = 'remind' AND moved_at >= to_timestamp($1::double precision / 1000)
    ORDER BY moved_at, id LIMIT $2`,
  takeOver: `
    UPDATE operation SET desk = $3, state = 'unknown'
    WHERE id = $1 AND desk = $2 AND state IN ('claimed', 'unknown')
      AND moved_at <= clock_timestamp() - interval '1 millisecond'
        * CASE state WHEN 'claimed' THEN $4::double precision ELSE $5::double precision END
    RETURNING id`,
};

const openOperationsSql = {
  id: 'o.id::text',
  columns: `o.id, o.kind, o.desk, o.seat, o.state, ${epochMillisSql('o.started_at')} AS "startedAt", o.sealed,
    o.key_version AS "keyVersion", ${epochMillisSql('clock_timestamp() - o.moved_at')} AS age,
    s.removed_at IS NOT NULL AS "isGone"`,
  bytes: 'octet_length(o.sealed)',
  from: `FROM operation o JOIN desk d ON d.id = o.desk JOIN seat s ON s.id = d.seat
    WHERE o.state IN ('claimed', 'unknown')`,
  order: 'o.started_at, o.id',
};

const OpenOperationRow = z.object({
  id: z.string(),
  kind: z.enum(['send', 'sign', 'remind', 'remove', 'change']),
  desk: z.string(),
  seat: z.string(),
  state: z.enum(['claimed', 'unknown']),
  startedAt: z.number(),
  age: z.number(),
  isGone: z.boolean(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
});
const AboutOperation: z.ZodType<OperationDescription> = z.object({
  title: z.string(),
  service: z.string(),
  scan: z.unknown(),
});
const SealedOperationRow = OpenOperationRow.pick({ id: true, sealed: true, keyVersion: true });
const ReminderRow = SealedOperationRow.extend({
  startedAt: z.number(),
  movedAt: z.number(),
  isReleased: z.boolean(),
});
const Id = z.object({ id: z.string() });

/** Returns the binding of the sealed details of an operation. */
export const sealedForOperation = (office: string, id: string): SealedFor => ({
  office,
  kind: 'operation',
  id,
  version: 1,
});

/** Paths of IDs of agreements, which are numbers in API v2, not personal numbers. */
const OPERATION_NUMBER_PATHS: NumberFreePaths = [
  ['service'],
  ['scan', 'agreementId'],
  ['scan', 'target', 'agreementId'],
];

export const sealAbout = (key: OfficeKey, of: SealedFor, about: OperationDescription): Uint8Array =>
  sealForSeats(key, of, about, OPERATION_NUMBER_PATHS);

/**
 * Returns the sealed details of an operation; null if no key of this user opens them, or if they
 * are malformed.
 */
export async function readAbout(
  { office, keyOf }: Pick<ClaimContext, 'office' | 'keyOf'>,
  { id, sealed, keyVersion }: z.infer<typeof SealedOperationRow>,
): Promise<OperationDescription | null> {
  return nullIfUnreadable(async () => {
    const key = await keyOf(keyVersion);
    const { value, isWhole } = unsealForSeat(key, sealedForOperation(office, id), sealed);
    const about = AboutOperation.safeParse(value).data ?? null;
    // A scan for masked values would find nothing, and would wrongly prove that the agreement is
    // absent.
    const isFound = isWhole || !isMaskedText(JSON.stringify(about?.scan));
    return about === null || isFound ? about : { ...about, scan: null };
  });
}

export function createClaims(
  server: Transactions,
  { office, desk, seat, newestKey, mark, keyOf }: ClaimContext,
): OfficeClaims {
  return {
    async claim(operations, lease = null) {
      const key = newestKey();
      const who = { desk, seat, keyVersion: key.version };
      const sealed = operations.map(({ about, ...one }) => ({
        ...one,
        sealed: sealAbout(key, sealedForOperation(office, one.id), about),
      }));
      const claimed: ClaimResult[] = [];
      for (let at = 0; at < sealed.length; at += MAX_OPERATIONS_AT_ONCE) {
        const some = sealed.slice(at, at + MAX_OPERATIONS_AT_ONCE);
        const made = await server.transaction(async (within) => {
          if (lease !== null) await requireLease(within, lease, desk);
          const raised = await raiseMark(within, who, mark, true);
          return { claimed: await claimAll(within, some, who), raised };
        });
        mark.reached(made.raised);
        claimed.push(...made.claimed);
      }
      return claimed;
    },
    async holders(wanted) {
      const newest = await newestHolders(server, wanted);
      return newest.filter(({ state }) => state !== 'released');
    },
    allHolders: (wanted) => allHolders(server, wanted),
    async settle(outcomes) {
      if (outcomes.length === 0) return;
      const columns = [outcomes.map(({ id }) => id), outcomes.map(({ state }) => state)];
      await server.command(sql.settle, [...columns, desk, seat]);
    },
    async unsettled() {
      return (await server.query(sql.unsettled, [desk], Id)).map(({ id }) => id);
    },
    async open() {
      const rows = await readRowsInParts(server, openOperationsSql, [], OpenOperationRow);
      const opened: OpenOperation[] = [];
      for (const row of rows) {
        const { sealed: _sealed, keyVersion: _version, ...rest } = row;
        opened.push({ ...rest, about: await readAbout({ office, keyOf }, row) });
      }
      return opened;
    },
    async reminded(since, limit) {
      const rows = await server.query(sql.reminded, [since, limit], ReminderRow);
      const reminded: OfficeReminder[] = [];
      for (const row of rows) {
        const { id, startedAt, movedAt, isReleased } = row;
        reminded.push({
          id,
          startedAt,
          movedAt,
          isReleased,
          about: await readAbout({ office, keyOf }, row),
        });
      }
      return reminded;
    },
    async takeOver({ id, desk: from }, silence) {
      const values = [id, from, desk, silence.claimed, silence.unknown];
      return (await server.query(sql.takeOver, values, Id)).length > 0;
    },
  };
}
