import * as z from 'zod';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import type {
  DetectedOfficeRestore,
  ClaimHolder,
  LostOperation,
  OfficeRestores,
} from '../../core/office/ports.ts';
import { claimedKeys, hex, newestHolders, StateColumn } from './claim.ts';
import type { ClaimContext } from './claims.ts';
import { sealAbout, sealedForOperation } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import type { Transactions } from './server.ts';
import type { Statements } from './statements.ts';

/** Maximum number of operations per transaction. */
const MAX_LOST_AT_ONCE = 500;
/** ID of the advisory lock: an arbitrary number, unique in this database. */
const LOCK = 5_471_902_359;

const sql = {
  newest: `
    SELECT p.id, ${epochMillisSql('p.noticed_at')} AS "noticedAt", ${epochMillisSql('p.as_of')} AS "asOf", p.last,
      EXISTS (SELECT FROM desk d WHERE d.id = $1 AND d.brought_back = p.id) AS "isTold",
      (SELECT q.id FROM put_back q WHERE q.number < p.number ORDER BY q.number DESC LIMIT 1)
        IS DISTINCT FROM (SELECT d.brought_back FROM desk d WHERE d.id = $1) AS "hasMissed"
    FROM put_back p ORDER BY p.number DESC LIMIT 1`,
  awaited: `
    SELECT id AS desk, seat, ${epochMillisSql('seen_at')} AS "seenAt" FROM awaited_desk ORDER BY seen_at DESC`,
  known: 'SELECT id, state FROM operation WHERE id = ANY ($1::uuid[])',
  // Reports run one at a time: two computers that restore the same key would both use its next
  // generation.
  alone: 'SELECT pg_advisory_xact_lock($1)',
  operations: `
    INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
    SELECT o.id, o.kind, $5, $6, o.state, o.sealed, $7
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) o (id, kind, state, sealed)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, sealed = excluded.sealed,
      key_version = excluded.key_version
    WHERE operation.state = 'released' AND operation.desk = excluded.desk RETURNING id`,
  // If the operation now belongs to another computer, that computer is responsible for the keys of
  // the operation.
  held: `
    SELECT encode(c.key, 'hex') AS key, c.operation AS id FROM claim c
    WHERE c.operation = ANY ($1::uuid[])`,
  own: 'SELECT id FROM operation WHERE id = ANY ($1::uuid[]) AND desk = $2',
  times: `
    UPDATE operation o SET started_at = g.at, settled_at = g.at
    FROM (SELECT id, least(to_timestamp(ms / 1000), clock_timestamp()) AS at
      FROM unnest($1::uuid[], $2::double precision[]) u (id, ms)) g
    WHERE o.id = g.id AND o.desk = $3`,
  claims: `
    INSERT INTO claim (key, generation, operation)
    SELECT k.key, coalesce((SELECT max(generation) FROM claim c WHERE c.key = k.key), 0)
      + row_number() OVER (PARTITION BY k.key ORDER BY k.place), k.operation
    FROM unnest($1::bytea[], $2::uuid[]) WITH ORDINALITY k (key, operation, place)`,
  desks: `
    SELECT d.id AS desk, d.seat, s.role, ${epochMillisSql('d.seen_at')} AS "seenAt"
    FROM desk d JOIN seat s ON s.id = d.seat AND s.removed_at IS NULL
    WHERE is_desks_id(d.id)
    UNION ALL
    SELECT s.id, s.id, s.role, ${epochMillisSql('s.invited_at')} FROM seat s
    WHERE s.removed_at IS NULL AND NOT EXISTS (SELECT FROM desk d WHERE d.seat = s.id)
    ORDER BY desk`,
  // The database limits the number of rows of one user; other users report further missing
  // computers.
  miss: `
    INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
    SELECT $1, m.desk, m.seat, m.role, to_timestamp(m.ms / 1000), $6, $7
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::double precision[]) m (desk, seat, role, ms)
    WHERE NOT EXISTS (SELECT FROM desk d WHERE d.id = m.desk AND d.seat = m.seat)
      AND NOT EXISTS (SELECT FROM seat s WHERE s.id = m.seat
        AND (s.removed_at IS NOT NULL OR m.desk = m.seat))
      AND NOT EXISTS (SELECT FROM put_back_missing p
        WHERE p.put_back = $1 AND p.missing = m.desk AND p.of_seat = m.seat)
    ORDER BY m.ms DESC
    LIMIT greatest(0, 1000 - (SELECT count(*) FROM put_back_missing WHERE put_back = $1 AND seat = $7))
    ON CONFLICT DO NOTHING`,
  told: 'UPDATE desk SET brought_back = $2 WHERE id = $1',
  excuse: `
    INSERT INTO put_back_excused (put_back, excused, desk, seat)
    SELECT $1, id, $3, $4 FROM unnest($2::uuid[]) AS id ON CONFLICT DO NOTHING`,
};

const NewestRestore = z.object({
  id: z.string(),
  noticedAt: z.number(),
  asOf: z.number(),
  last: z.number(),
  isTold: z.boolean(),
  hasMissed: z.boolean(),
});
const AwaitedComputer = z.object({ desk: z.string(), seat: OfficeUserId, seenAt: z.number() });
const SeenComputer = z.object({
  desk: z.string(),
  seat: OfficeUserId,
  role: z.string(),
  seenAt: z.number(),
});
const Id = z.object({ id: z.string() });
const KnownLostOperation = z.object({ id: z.string(), state: StateColumn });
const HeldKey = z.object({ id: z.string(), key: z.string() });

export function createRestoreReports(server: Transactions, context: ClaimContext): OfficeRestores {
  const { desk, seat } = context;
  return {
    async read(): Promise<DetectedOfficeRestore | null> {
      const [newest] = await server.query(sql.newest, [desk], NewestRestore);
      if (newest === undefined) return null;
      return { ...newest, awaited: await server.query(sql.awaited, [], AwaitedComputer) };
    },
    async known(ids) {
      const known = await server.query(sql.known, [ids], KnownLostOperation);
      return new Map(known.map(({ id, state }) => [id, state]));
    },
    async bringBack(lost) {
      const heldToo: (readonly [string, readonly ClaimHolder[]])[] = [];
      for (let at = 0; at < lost.length; at += MAX_LOST_AT_ONCE) {
        const some = lost.slice(at, at + MAX_LOST_AT_ONCE);
        const held = await server.transaction((within) =>
          recordLostOperations(within, some, context),
        );
        heldToo.push(...held);
      }
      return new Map(heldToo);
    },
    desks: () => server.query(sql.desks, [], SeenComputer),
    async miss(id, desks) {
      const columns = [
        desks.map((one) => one.desk),
        desks.map((one) => one.seat),
        desks.map(({ role }) => role),
        desks.map(({ seenAt }) => seenAt),
      ];
      await server.command(sql.miss, [id, ...columns, desk, seat]);
    },
    told: (id) => server.command(sql.told, [desk, id]),
    excuse: (id, desks) => server.command(sql.excuse, [id, desks, desk, seat]),
  };
}

/**
 * Writes lost operations again. Returns the operations whose keys another computer now holds, with
 * the holders.
 */
async function recordLostOperations(
  within: Statements,
  lost: readonly LostOperation[],
  { office, desk, seat, newestKey }: ClaimContext,
): Promise<readonly (readonly [string, readonly ClaimHolder[]])[]> {
  const { query, command } = within;
  const key = newestKey();
  await command(sql.alone, [LOCK]);
  const columns = [
    lost.map(({ id }) => id),
    lost.map(({ kind }) => kind),
    lost.map(({ state }) => state),
    lost.map(({ id, about }) => sealAbout(key, sealedForOperation(office, id), about)),
  ];
  const made = await query(sql.operations, [...columns, desk, seat, key.version], Id);
  const written = new Set(made.map(({ id }) => id));
  const times = lost.filter(({ id }) => written.has(id));
  await command(sql.times, [times.map(({ id }) => id), times.map((one) => one.startedAt), desk]);
  const all = [lost.map(({ id }) => id)];
  const own = new Set((await query(sql.own, [...all, desk], Id)).map(({ id }) => id));
  const has = new Set((await query(sql.held, all, HeldKey)).map((one) => `${one.id} ${one.key}`));
  const wanted = lost
    .filter(({ id }) => own.has(id))
    .flatMap((one) => claimedKeys(one).map((claimed) => ({ key: claimed.key, id: one.id })));
  const newest = new Map(
    (
      await newestHolders(
        within,
        wanted.map((one) => one.key),
      )
    ).map((one) => [one.key, one]),
  );
  // A rewritten operation must be the last holder of its keys, as before the restore. Any other
  // operation only gets the keys that it never held in this database.
  const missing = wanted.filter((one) =>
    written.has(one.id)
      ? newest.get(hex(one.key))?.id !== one.id
      : !has.has(`${one.id} ${hex(one.key)}`),
  );
  const done = new Set(lost.filter(({ state }) => state === 'done').map(({ id }) => id));
  // A done operation must stay the newest holder for other computers: a newer operation of unknown
  // outcome would hide it.
  const claims = missing.filter(
    (one) => done.has(one.id) || newest.get(hex(one.key))?.state !== 'done',
  );
  await command(sql.claims, [claims.map((one) => one.key), claims.map(({ id }) => id)]);
  return lost.flatMap(({ id }) => {
    const held = missing
      .filter((one) => one.id === id)
      .flatMap((one) => newest.get(hex(one.key)) ?? [])
      .filter((one) => one.desk !== desk && one.state !== 'released');
    return held.length === 0 ? [] : [[id, held] as const];
  });
}
