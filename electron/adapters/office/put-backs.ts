import * as z from 'zod';
import { SeatId } from '../../../shared/contract/office/office.ts';
import type { FoundPutBack, OfficePutBacks } from '../../core/office/ports.ts';
import { claimedKeys } from './claim.ts';
import type { ClaimContext } from './claims.ts';
import { sealedOperation } from './claims.ts';
import { millis } from './columns.ts';
import { sealForSeats } from './for-seats.ts';
import type { Transactions } from './server.ts';

/** Operations in one transaction. */
const AT_ONCE = 500;
/** Any number that nobody else in this database takes. */
const LOCK = 5_471_902_359;

const sql = {
  newest: `
    SELECT p.id, ${millis('p.noticed_at')} AS "noticedAt", ${millis('p.as_of')} AS "asOf", p.last,
      EXISTS (SELECT FROM desk d WHERE d.id = $1 AND d.brought_back = p.id) AS "isTold"
    FROM put_back p ORDER BY p.number DESC LIMIT 1`,
  awaited: `
    SELECT id AS desk, seat, ${millis('seen_at')} AS "seenAt" FROM awaited_desk ORDER BY seen_at DESC`,
  known: 'SELECT id FROM operation WHERE id = ANY ($1::uuid[])',
  // Two desks that bring back the same key would both take its next generation.
  alone: 'SELECT pg_advisory_xact_lock($1)',
  operations: `
    INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
    SELECT o.id, o.kind, $5, $6, o.state, o.sealed, $7
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) o (id, kind, state, sealed)
    ON CONFLICT (id) DO NOTHING RETURNING id`,
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
  told: 'UPDATE desk SET brought_back = $2 WHERE id = $1',
  excuse: `
    INSERT INTO put_back_excused (put_back, excused, desk, seat)
    SELECT $1, id, $3, $4 FROM unnest($2::uuid[]) AS id ON CONFLICT DO NOTHING`,
};

const Newest = z.object({
  id: z.string(),
  noticedAt: z.number(),
  asOf: z.number(),
  last: z.number(),
  isTold: z.boolean(),
});
const Awaited = z.object({ desk: z.string(), seat: SeatId, seenAt: z.number() });
const Id = z.object({ id: z.string() });

/** See `OfficePutBacks`. */
export function createPutBacks(
  server: Transactions,
  { office, desk, seat, newestKey }: ClaimContext,
): OfficePutBacks {
  return {
    async read(): Promise<FoundPutBack | null> {
      const [newest] = await server.query(sql.newest, [desk], Newest);
      if (newest === undefined) return null;
      return { ...newest, awaited: await server.query(sql.awaited, [], Awaited) };
    },
    async known(ids) {
      return new Set((await server.query(sql.known, [ids], Id)).map(({ id }) => id));
    },
    async bringBack(lost) {
      const key = newestKey();
      for (let at = 0; at < lost.length; at += AT_ONCE) {
        const some = lost.slice(at, at + AT_ONCE);
        await server.transaction(async ({ query, command }) => {
          await command(sql.alone, [LOCK]);
          const columns = [
            some.map(({ id }) => id),
            some.map(({ kind }) => kind),
            some.map(({ state }) => state),
            some.map(({ id, about }) => sealForSeats(key, sealedOperation(office, id), about)),
          ];
          const made = await query(sql.operations, [...columns, desk, seat, key.version], Id);
          const ids = new Set(made.map(({ id }) => id));
          const written = some.filter(({ id }) => ids.has(id));
          const times = [written.map(({ id }) => id), written.map(({ startedAt }) => startedAt)];
          await command(sql.times, [...times, desk]);
          const claims = written.flatMap((one) =>
            claimedKeys(one).map(({ key }) => ({ key, operation: one.id })),
          );
          const held = [claims.map((one) => one.key), claims.map(({ operation }) => operation)];
          await command(sql.claims, held);
        });
      }
    },
    told: (id) => server.command(sql.told, [desk, id]),
    excuse: (id, desks) => server.command(sql.excuse, [id, desks, desk, seat]),
  };
}
