import * as z from 'zod';
import { OfficeTask, OfficeUserId } from '../../../shared/contract/office/office.ts';
import type { HeldLease, TaskLeases } from '../../core/office/ports.ts';
import { readRowsInParts } from './answers.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { readForSeat, sealForSeats } from './for-seats.ts';
import { seatNames } from './seats.ts';
import type { Transactions } from './server.ts';
import type { Statements } from './statements.ts';

/**
 * Identity, keys and name of the user. Earlier versions of the program read the name together with
 * the task.
 */
interface LeaseContext extends ClaimContext {
  readonly name: string;
}

const timeAfterSql = (length: string): string =>
  `clock_timestamp() + ${length}::double precision * interval '1 millisecond'`;

const isStillHeld = 'l.desk = excluded.desk AND l.until > clock_timestamp()';
const sql = {
  // If the lease belongs to another computer, its row stays unchanged and locked. The next read
  // shows why the lease was refused.
  take: `
    INSERT INTO lease AS l (task, kind, number, desk, seat, sealed, key_version, until)
    VALUES ($1, $2, $8::bigint + 1, $3, $4, $5, $6, ${timeAfterSql('$7')})
    ON CONFLICT (task, kind) DO UPDATE SET
      number = greatest(CASE WHEN ${isStillHeld} THEN l.number ELSE l.number + 1 END,
        CASE WHEN l.number < $8::bigint THEN $8::bigint + 1 ELSE 0 END),
      taken_at = CASE WHEN ${isStillHeld} THEN l.taken_at ELSE clock_timestamp() END,
      desk = excluded.desk, seat = excluded.seat, sealed = excluded.sealed,
      key_version = excluded.key_version, until = excluded.until
    WHERE l.desk = excluded.desk OR l.until <= clock_timestamp()
    RETURNING number, ${epochMillisSql('clock_timestamp()')} AS now`,
  renew: `
    UPDATE lease SET until = ${timeAfterSql('$4')}
    WHERE task = $1 AND number = $2 AND desk = $3 AND until > '-infinity' RETURNING number`,
  giveBack: `
    UPDATE lease SET until = '-infinity' WHERE task = $1 AND number = $2 AND desk = $3`,
};

const listedLeases = {
  id: `kind || ' ' || encode(task, 'hex')`,
  columns: `encode(task, 'hex') AS id, kind, number, desk, seat, sealed, key_version AS "keyVersion",
    ${epochMillisSql('taken_at')} AS since`,
  bytes: 'octet_length(sealed)',
  // `statement_timestamp` allows an index lookup; `clock_timestamp` differs for each row.
  from: 'FROM lease WHERE until > statement_timestamp()',
  order: 'taken_at, task',
};
const HELD_LEASE_SQL = `SELECT ${listedLeases.columns} ${listedLeases.from} AND task = $1 AND kind = $2`;

const TakenLeaseRow = z.object({ number: z.number(), now: z.number() });
const RenewedLeaseRow = TakenLeaseRow.pick({ number: true });
const HeldLeaseRow = OfficeTask.pick({ id: true, kind: true, since: true }).extend({
  number: z.number(),
  desk: z.string(),
  seat: OfficeUserId,
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
});
const About = z.object({ title: z.string() });

export function createLeases(
  server: Transactions,
  { office, desk, seat, name, newestKey, keyOf }: LeaseContext,
): TaskLeases {
  const sealedFor = (id: string) => ({ office, kind: 'lease', id, version: 1 });
  /**
   * Opens leases. Names come from the list of users, because the computer of a task chooses the
   * content that is sealed with it.
   */
  const opened = async (
    rows: readonly z.infer<typeof HeldLeaseRow>[],
  ): Promise<readonly HeldLease[]> => {
    if (rows.length === 0) return [];
    const names = await seatNames(server, office, keyOf);
    return Promise.all(
      rows.map(async ({ sealed, keyVersion, seat: by, ...row }) => {
        const about = await readForSeat(keyOf, { sealed, keyVersion }, sealedFor(row.id), About);
        const who = about === null ? '' : (names.get(by) ?? '');
        return { ...row, title: about?.title ?? null, seat: who };
      }),
    );
  };
  const find = (
    { query }: Pick<Statements, 'query'>,
    { key, kind }: Pick<Parameters<TaskLeases['take']>[0], 'key' | 'kind'>,
  ) => query(HELD_LEASE_SQL, [key, kind], HeldLeaseRow);

  return {
    async take({ kind, key, title }, length, above = 0) {
      const newest = newestKey();
      const id = Buffer.from(key).toString('hex');
      const sealed = sealForSeats(newest, sealedFor(id), { title, seat: name });
      const values = [key, kind, desk, seat, sealed, newest.version, length, above];
      for (;;) {
        const { taken, other } = await server.transaction(async (within) => {
          const [row] = await within.query(sql.take, values, TakenLeaseRow);
          return { taken: row, other: row === undefined ? await find(within, { key, kind }) : [] };
        });
        if (taken !== undefined) {
          const { number, now } = taken;
          return { ok: true, lease: { task: key, number }, now };
        }
        const [held] = await opened(other);
        // If no lease is found, it ended between the two statements, and the task is free.
        if (held !== undefined) return { ok: false, held };
      }
    },
    async renew({ task, number }, length) {
      return (
        (await server.query(sql.renew, [task, number, desk, length], RenewedLeaseRow)).length > 0
      );
    },
    giveBack: ({ task, number }) => server.command(sql.giveBack, [task, number, desk]),
    async list() {
      return opened(await readRowsInParts(server, listedLeases, [], HeldLeaseRow));
    },
  };
}
