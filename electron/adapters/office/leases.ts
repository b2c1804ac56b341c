import * as z from 'zod';
import type { HeldLease, TaskLeases } from '../../core/office/ports.ts';
import type { ClaimContext } from './claims.ts';
import { millis } from './columns.ts';
import { seal, unseal } from './seal.ts';
import type { OfficeServer } from './server.ts';
import type { Statements } from './statements.ts';

/** Who asks, under which keys, and what people call that seat. */
export interface LeaseContext extends ClaimContext {
  readonly name: string;
}

const later = (length: string): string =>
  `clock_timestamp() + ${length}::double precision * interval '1 millisecond'`;

const sql = {
  // A row that another desk has stays as it is, and locked: what is read next is why it was refused.
  take: `
    INSERT INTO lease AS l (task, kind, number, desk, seat, sealed, key_version, until)
    VALUES ($1, $2, 1, $3, $4, $5, $6, ${later('$7')})
    ON CONFLICT (task) DO UPDATE SET
      number = CASE
        WHEN l.desk = excluded.desk AND l.until > clock_timestamp() THEN l.number
        ELSE l.number + 1 END,
      taken_at = CASE
        WHEN l.desk = excluded.desk AND l.until > clock_timestamp() THEN l.taken_at
        ELSE clock_timestamp() END,
      desk = excluded.desk, seat = excluded.seat, sealed = excluded.sealed,
      key_version = excluded.key_version, until = excluded.until
    WHERE l.desk = excluded.desk OR l.until <= clock_timestamp()
    RETURNING number`,
  // Of this number only: whoever took it meanwhile was not seen.
  takeFrom: `
    UPDATE lease SET number = number + 1, desk = $3, seat = $4, sealed = $5, key_version = $6,
      taken_at = clock_timestamp(), until = ${later('$7')}
    WHERE task = $1 AND number = $2 RETURNING number`,
  renew: `
    UPDATE lease SET until = ${later('$4')}
    WHERE task = $1 AND number = $2 AND desk = $3 AND until > '-infinity' RETURNING number`,
  giveBack: `
    UPDATE lease SET until = '-infinity' WHERE task = $1 AND number = $2 AND desk = $3`,
};

const held = `
  SELECT encode(task, 'hex') AS task, kind, number, desk, seat, sealed,
    key_version AS "keyVersion", ${millis('taken_at')} AS "takenAt", ${millis('until')} AS until,
    greatest(0, ${millis('until - clock_timestamp()')}) AS left
  FROM lease WHERE until > '-infinity'`;
const HELD = `${held} AND task = $1`;
const LIST = `${held} AND until > clock_timestamp() ORDER BY taken_at, task`;

const Taken = z.object({ number: z.number() });
const Held = z.object({
  task: z.string(),
  kind: z.enum(['archive', 'remind', 'digest', 'intake', 'sync']),
  number: z.number(),
  desk: z.string(),
  seat: z.string(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  takenAt: z.number(),
  until: z.number(),
  left: z.number(),
});
const About = z.object({ title: z.string(), by: z.string() });

/** See `TaskLeases`. */
export function createLeases(server: OfficeServer, context: LeaseContext): TaskLeases {
  const { office, desk, seat, name, newestKey, keyOf } = context;
  const sealedFor = (task: string) => ({ office, kind: 'lease', id: task, version: 1 });
  const sealed = (task: string, title: string) => {
    const key = newestKey();
    return [seal(key, sealedFor(task), JSON.stringify({ title, by: name })), key.version] as const;
  };
  const opened = async ({
    sealed: text,
    keyVersion,
    ...row
  }: z.infer<typeof Held>): Promise<HeldLease> => {
    const about: unknown = JSON.parse(unseal(await keyOf(keyVersion), sealedFor(row.task), text));
    const { title, by } = About.parse(about);
    return { ...row, title, by };
  };
  const find = ({ query }: Statements, task: Uint8Array) => query(HELD, [task], Held);

  return {
    async take({ kind, key, title }, length) {
      const values = [key, kind, desk, seat, ...sealed(hex(key), title), length];
      for (;;) {
        const { taken, other } = await server.transaction(async (within) => {
          const [row] = await within.query(sql.take, values, Taken);
          return { taken: row, other: row === undefined ? await find(within, key) : [] };
        });
        if (taken !== undefined) return { ok: true, lease: { task: key, number: taken.number } };
        const [row] = other;
        // Without one it was given back in between, and is free.
        if (row !== undefined) return { ok: false, held: await opened(row) };
      }
    },
    async takeFrom({ task, number }, length) {
      const key = Buffer.from(task, 'hex');
      const [row] = await find(server, key);
      if (row === undefined || row.number !== number) return null;
      const { title } = await opened(row);
      const values = [key, number, desk, seat, ...sealed(task, title), length];
      const [taken] = await server.query(sql.takeFrom, values, Taken);
      return taken === undefined ? null : { task: key, number: taken.number };
    },
    async renew({ task, number }, length) {
      return (await server.query(sql.renew, [task, number, desk, length], Taken)).length > 0;
    },
    giveBack: ({ task, number }) => server.command(sql.giveBack, [task, number, desk]),
    async list() {
      return Promise.all((await server.query(LIST, [], Held)).map(opened));
    },
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
