import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { migrations } from '../../../electron/adapters/office/migrations/index.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { type OfficeAddress, openOffice } from '../../../electron/adapters/office/server.ts';
import { grantRights } from '../../../electron/adapters/office/rights.ts';
import { OfficeItemKind } from '../../../shared/contract/office/items.ts';
import { type OfficeUserRight } from '../../../shared/contract/office/office.ts';
import { borrowPostgres, type Postgres } from '../../support/postgres.ts';

const OWNER = { role: 'signing_desk_owner', password: 'the owner’s, for this test' };
const DATABASE = 'signing_desk';
const ALL: readonly OfficeUserRight[] = ['send', 'sign', 'numbers', 'templates'];
/** Last schema version that did not check IDs. */
const BEFORE = 16;

const unmarked = () => ({
  read: () => 0,
  reached: () => undefined,
  former: () => [],
  compared: () => undefined,
});
/** Returns an ID that PostgreSQL accepts as a UUID, but that no computer creates. */
const strange = () => randomUUID().replace(/^(.{14})./u, '$10');

let postgres: Postgres;
let anna: OpenOffice;

beforeAll(async () => {
  postgres = await borrowPostgres();
  await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
  await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER.role}`);
  const { host, port } = postgres.address;
  const address = { host, port, database: DATABASE, trust: null };
  const order = { address, owner: OWNER, name: 'Anna', goesOnWithout: false };
  anna = await open(await offices.create(order));
});

afterAll(async () => {
  await anna.close();
  await postgres.remove();
});

const open = (member: Member) => offices.open(member, '1.0.0', unmarked());

interface Seat {
  readonly member: Member;
  readonly office: OpenOffice;
  readonly desk: string;
  readonly seat: string;
  run(sql: string, values?: readonly unknown[]): Promise<unknown>;
}

async function addSeat(name: string, rights: readonly OfficeUserRight[]): Promise<Seat> {
  const { invitation, phrase } = await anna.invite({ owner: OWNER, name, rights: [...rights] });
  const member = await offices.join(invitation, phrase);
  const { address, desk, seat } = member.membership;
  const office = await open(member);
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: DATABASE,
    user: address.role,
    password: passwordIn(member),
    options: '-c search_path=signing_desk,pg_temp -c signing_desk.schema=1000',
  });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await office.close();
  });
  return {
    member,
    office,
    desk,
    seat,
    run: (sql, values = []) => client.query(sql, [...values]),
  };
}

function passwordIn({ secret }: Member): string {
  const read: unknown = JSON.parse(secret);
  if (typeof read !== 'object' || read === null || !('password' in read)) return '';
  return String(read.password);
}

/** Runs all reads that each computer does, with or without an open window. */
async function readAll({ office }: Pick<Seat, 'office'>): Promise<void> {
  await office.items.changes(OfficeItemKind.options, 0, 100);
  await office.seats();
  await office.activity({ before: null, seat: null, kind: null });
  await office.approvals.list();
  await office.handovers.list();
  await office.batches.list();
  await office.joined.claims.open();
  await office.putBacks.read();
  await office.putBacks.desks();
}

/** Statements that add a row to each table whose IDs computers read. */
const rowsOf = ({ desk, seat }: Pick<Seat, 'desk' | 'seat'>, to: string) => {
  const of = `'${desk}', '${seat}'`;
  const id = () => `'${strange()}'`;
  return [
    `INSERT INTO desk (id, seat, version) VALUES (${id()}, '${seat}', '1')`,
    `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES (${id()}, 'send', ${of}, 'unknown', '', 1)`,
    `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
       VALUES ('person', ${id()}, 1, '', 1, ${of})`,
    `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
       VALUES (${id()}, ${of}, '', 1)`,
    `INSERT INTO handover (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
       VALUES (${id()}, 'draft', gen_random_uuid(), 1, ${of}, '${to}', '', 1, 1)`,
    `INSERT INTO batch_progress (batch, desk, seat, sealed, key_version) VALUES (${id()}, ${of}, '', 1)`,
    ...[`${id()}, gen_random_uuid()`, `gen_random_uuid(), ${id()}`].map(
      (
        missing,
      ) => `INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
        SELECT id, ${missing}, 'x', now(), ${of} FROM put_back ORDER BY number DESC LIMIT 1`,
    ),
  ];
};

describe('an office user who writes impossible rows', () => {
  it('cannot store invalid IDs in any table, so that all computers can read their lists (SR-P1)', async () => {
    const [hanna, bad] = [await addSeat('Hanna', ALL), await addSeat('Bad', ALL)];
    await bad.run('SELECT notice_put_back($1, (SELECT mark + 1000 FROM desk WHERE id = $1))', [
      bad.desk,
    ]);
    for (const sql of rowsOf(bad, hanna.seat)) {
      await expect(bad.run(sql), sql).rejects.toMatchObject({ code: '23514' });
    }
    await readAll(hanna);
  });

  it('cannot block a task with a row that has another kind and remains after the user is removed (SR-P2)', async () => {
    const [hanna, bad] = [await addSeat('Hanna', []), await addSeat('Bad', ['send'])];
    const key = randomBytes(32);
    await bad.run(
      `INSERT INTO lease (task, kind, number, desk, seat, sealed, key_version, until)
       VALUES ($1, 'remind', 1, $2, $3, '', 1, clock_timestamp() + interval '1 day')`,
      [key, bad.desk, bad.seat],
    );
    const { leases } = hanna.office.joined;
    const taken = await leases.take({ kind: 'archive', key, title: 'Archive' }, 60_000);
    expect(taken).toMatchObject({ ok: true });
    expect((await leases.list()).filter(({ id }) => id === key.toString('hex'))).toHaveLength(2);
  });

  it('is named in a task by the database, not by the own computer (SR-P3)', async () => {
    const [hanna, bad] = [await addSeat('Hanna', ALL), await addSeat('Bad', ALL)];
    const { membership, secret } = bad.member;
    const liar = await open({ membership: { ...membership, name: 'Anna' }, secret });
    const order = { kind: 'draft', key: randomBytes(32), title: 'Lease' } as const;
    await liar.joined.leases.take(order, 60_000);
    const other = await hanna.office.joined.leases.take(order, 60_000);
    expect(other).toMatchObject({
      ok: false,
      held: { seat: expect.stringMatching(/^Bad/u), title: 'Lease' },
    });
    const held = await hanna.office.joined.leases.list();
    expect(held.map(({ seat }) => seat)).not.toContain('Anna');
    await liar.close();
  });

  it('can share only a limited number of groups, since every computer searches them (SR-P4)', async () => {
    const bad = await addSeat('Bad', ALL);
    const insert = `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
      SELECT 'group', gen_random_uuid(), 1, '', 1, $1, $2 FROM generate_series(1, $3::integer)`;
    await bad.run(insert, [bad.desk, bad.seat, 2000]);
    await expect(bad.run(insert, [bad.desk, bad.seat, 1])).rejects.toMatchObject({ code: 'SD002' });
  });

  it('cannot make the lists of an upgraded office unreadable with impossible rows of before (SR-P5)', async () => {
    const [hanna, bad] = [await addSeat('Hanna', ALL), await addSeat('Bad', ALL)];
    const { office } = hanna.member.membership;
    const { host, port } = postgres.address;
    const about: OfficeAddress = { host, port, database: DATABASE, role: OWNER.role, trust: null };
    const owner = openOffice(about, async () => OWNER.password);
    // The database as in the earlier version, without newer objects.
    await owner.command(`DROP TRIGGER few_items_of_kind ON shared_item;
      DROP FUNCTION few_items_of_kind(); DROP INDEX shared_item_of_seat;
      ALTER TABLE lease DROP CONSTRAINT lease_pkey; DELETE FROM lease;
      ALTER TABLE lease ADD PRIMARY KEY (task);
      DO $$ DECLARE one record; BEGIN
        FOR one IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
          WHERE conname LIKE '%\\_of\\_desks' LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.conname);
        END LOOP;
      END $$;
      DROP FUNCTION is_desks_id(uuid);`);
    for (const sql of rowsOf(bad, hanna.seat)) await bad.run(sql);
    const [last] = migrations.slice(BEFORE);
    await owner.transaction(({ command }) => command(last ?? ''));
    await owner.transaction((within) => grantRights(within, office));
    await readAll(hanna);
    const awaited = (await hanna.office.putBacks.read())?.awaited ?? [];
    expect(awaited.filter(({ desk }) => !z.uuid().safeParse(desk).success)).toEqual([]);
    await owner.close();
  });
});
