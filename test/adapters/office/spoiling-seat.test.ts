// tier: quick, 20 s, because one user of an office may harm no other
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keysOf, newestOf, SeatSecret } from '../../../electron/adapters/office/keyring.ts';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { SCHEMA_VERSION } from '../../../electron/adapters/office/schema.ts';
import { sealText } from '../../../electron/adapters/office/seal.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { operation, unmarked } from './office-database.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const WAIT = 120_000;

describe.skipIf(postgresPrograms === null)(
  'an office user who damages rows that it may write',
  () => {
    let postgres: Postgres;
    let anna: Member;
    let bo: Member;
    let eve: Member;
    let atAnna: OpenOffice;
    let atBo: OpenOffice;
    let atEve: pg.Client;
    const clients: pg.Client[] = [];

    const administrator = (sql: string) =>
      postgres.run(
        `SET search_path = signing_desk; SET session_replication_role = replica; ${sql}`,
        'office',
      );
    const open = (member: Member) => offices.open(member, '1.0.0', unmarked);
    const joined = async (name: string, rights: ('send' | 'sign')[] = []): Promise<Member> => {
      const { invitation, phrase } = await atAnna.invite({ owner: OWNER, name, rights });
      return offices.join(invitation, phrase);
    };
    const connect = async ({ membership, secret }: Member): Promise<pg.Client> => {
      const { password } = SeatSecret.parse(JSON.parse(secret));
      const { host, port, database, role: user } = membership.address;
      const options = `-c search_path=signing_desk -c signing_desk.schema=${String(SCHEMA_VERSION)}`;
      const client = new pg.Client({ host, port, database, user, password, options });
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
      return client;
    };
    /** Returns any content, sealed as Eve's program could seal it. */
    const sealedBy = (kind: string, id: string, text: string): Buffer => {
      const key = newestOf(keysOf(SeatSecret.parse(JSON.parse(eve.secret))));
      const { office } = eve.membership;
      return Buffer.from(sealText(key, { office, kind, id, version: 1 }, text));
    };
    const short = ({ membership }: Member): string => `(${membership.seat.slice(0, 8)})`;

    beforeEach(async () => {
      postgres = await borrowPostgres();
      await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
      await postgres.run(`CREATE DATABASE office OWNER ${OWNER.role}`);
      const { host, port } = postgres.address;
      const address = { host, port, database: 'office', trust: null };
      anna = await offices.create({ address, owner: OWNER, name: 'Anna', goesOnWithout: false });
      atAnna = await open(anna);
      bo = await joined('Bo', ['send']);
      atBo = await open(bo);
      eve = await joined('Eve');
      await (await open(eve)).close();
      atEve = await connect(eve);
    }, WAIT);
    afterEach(async () => {
      await Promise.all([
        atAnna.close(),
        atBo.close(),
        ...clients.splice(0).map((one) => one.end()),
      ]);
      await postgres.remove();
    });

    it('can write its own name and public key when joining, and never again (SR-M3)', async () => {
      for (const change of [`sealed = '\\x00'`, 'key_version = 999', 'joined_at = NULL']) {
        const own = [eve.membership.seat];
        const changed = await atEve.query(`UPDATE seat SET ${change} WHERE id = $1`, own);
        expect(changed.rowCount).toBe(0);
      }
    });

    it.each([
      ['cannot be decrypted', () => `sealed = '\\x00'`],
      ['names an unknown key', () => 'key_version = 999'],
      ['is not JSON', () => text('no JSON')],
      ['names no public key', () => text('{"name":"Eve","recipient":"not a recipient"}')],
    ])(
      'is listed by ID and can be removed, without blocking other removals, if the user’s row %s (SR-M3)',
      async (_, change) => {
        await administrator(`UPDATE seat SET ${change()} WHERE id = '${eve.membership.seat}'`);
        expect((await atAnna.seats()).map(({ name }) => name)).toEqual(['Anna', 'Bo', short(eve)]);
        expect([...(await atAnna.seatNames()).values()]).toEqual(['Anna', 'Bo']);
        const draft = { id: randomUUID(), kind: 'draft', what: randomUUID(), revision: 1 } as const;
        const given = { ...draft, title: 'Lease', note: '', data: Buffer.from('a draft') };
        await atAnna.handovers.give({ ...given, to: bo.membership.seat });
        await atAnna.remove(OWNER, bo.membership.seat);
        await atAnna.visit();
        await atAnna.remove(OWNER, eve.membership.seat);
        expect((await atAnna.seats()).map(({ name }) => name)).toEqual(['Anna']);
      },
    );
    const text = (about: string): string => {
      const sealed = sealedBy('seat', eve.membership.seat, about).toString('hex');
      return `sealed = '\\x${sealed}'`;
    };

    it('can damage only its own shared data, for example with endless texts, and is named by the office check (SR-M3, SR-P18)', async () => {
      const good = randomUUID();
      const row = `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
      VALUES ('view', $1, 1, $2, $3, $4, $5)`;
      const { desk, seat } = eve.membership;
      const [garbage, foreign] = [randomUUID(), randomUUID()];
      const [wordless, endless] = [randomUUID(), randomUUID()];
      await atEve.query(row, [garbage, Buffer.alloc(40), 1, desk, seat]);
      await atEve.query(row, [foreign, Buffer.alloc(40), 999, desk, seat]);
      const wrong = sealedBy('shared view', wordless, '[');
      await atEve.query(row, [wordless, wrong, 1, desk, seat]);
      const content = { name: 'x'.repeat(2049) };
      const long = sealedBy('shared view', endless, JSON.stringify({ content }));
      await atEve.query(row, [endless, long, 1, desk, seat]);
      await atAnna.items.write([{ kind: 'view', id: good, version: 1, content: { name: 'Mine' } }]);
      const { items: read } = await atBo.items.changes(['view'], 0, 10);
      expect(read.map(({ id, isUnreadable }) => [id, isUnreadable])).toEqual([
        [garbage, true],
        [foreign, true],
        [wordless, true],
        [endless, true],
        [good, undefined],
      ]);
      const check = (await atBo.checks()).find((one) => one.check === 'readable');
      expect(check).toEqual({
        check: 'readable',
        ok: false,
        said: `4 shared items cannot be opened. They were written by ${seat}`,
      });
    });

    it('cannot hide a list with a sealed handover or approval that is not JSON (SR-M3)', async () => {
      const { desk, seat } = eve.membership;
      const [approval, handover] = [randomUUID(), randomUUID()];
      await atEve.query(
        `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
       VALUES ($1, $2, $3, $4, 1)`,
        [approval, desk, seat, sealedBy(`approval asked by ${seat}`, approval, '[')],
      );
      const to = anna.membership.seat;
      await atEve.query(
        `INSERT INTO handover
         (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
       VALUES ($1, 'draft', gen_random_uuid(), 1, $2, $3, $4, $5, 1, 1)`,
        [handover, desk, seat, to, sealedBy(`handover of a draft to ${to}`, handover, '[')],
      );
      expect(await atAnna.approvals.list()).toMatchObject([{ id: approval, request: null }]);
      expect(await atAnna.handovers.list()).toMatchObject([{ id: handover, title: null }]);
    });

    it('makes a computer request a missing key only once, however many rows name it (SR-P12)', async () => {
      const { desk, seat } = eve.membership;
      await atEve.query(
        `INSERT INTO handover
         (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
       SELECT gen_random_uuid(), 'draft', gen_random_uuid(), 1, $1, $2, $3, '\\x00', n, 1
       FROM generate_series(1001, 1060) n`,
        [desk, seat, anna.membership.seat],
      );
      const asked = vi.spyOn(pg.Client.prototype, 'query');
      const listed = await atAnna.handovers.list();
      const keys = asked.mock.calls.filter((call) => JSON.stringify(call).includes('office_key'));
      asked.mockRestore();
      expect(listed).toHaveLength(60);
      expect(keys).toHaveLength(1);
      // A key that appears later is requested.
      await atAnna.remove(OWNER, seat);
      await atBo.items.write([{ kind: 'view', id: randomUUID(), version: 1, content: {} }]);
      await atBo.visit();
      const id = randomUUID();
      await atBo.items.write([{ kind: 'view', id, version: 1, content: { name: 'New' } }]);
      const { items } = await atAnna.items.changes(['view'], 0, 10);
      expect(items.find((one) => one.id === id)).toMatchObject({ content: { name: 'New' } });
    });

    it('cannot write values longer than computers write them (SR-M3)', async () => {
      const { desk, seat } = eve.membership;
      const long = { code: '23514' };
      const batch = `INSERT INTO batch_progress (batch, desk, seat, sealed, key_version)
      VALUES (gen_random_uuid(), $1, $2, $3, 1)`;
      await expect(atEve.query(batch, [desk, seat, Buffer.alloc(1_000_001)])).rejects.toMatchObject(
        long,
      );
      const version = 'UPDATE desk SET version = $2 WHERE id = $1';
      await expect(atEve.query(version, [desk, 'x'.repeat(101)])).rejects.toMatchObject(long);
      const { rows } =
        await administrator(`SELECT conrelid::regclass || '' AS named FROM pg_constraint
      WHERE conname LIKE '%_length'`).then((results) => [results].flat().at(-1) ?? { rows: [] });
      const bounded = new Set(rows.map((one: { named: string }) => one.named));
      const columns = await atEve.query<{ table: string }>(
        `SELECT c.relname AS table FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'signing_desk'::regnamespace AND a.attname = 'sealed'
         AND c.relkind = 'r'`,
      );
      for (const { table } of columns.rows) expect(bounded).toContain(table);
    });

    it('cannot delay a claim of another computer by locking that computer’s row (SR-M3)', async () => {
      const { desk } = anna.membership;
      await atEve.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [desk]);
      const claimed = atAnna.joined.claims.claim([operation(['content'])]);
      await expect(claimed).resolves.toMatchObject([{ ok: true }]);
      // Eve cannot lock the row of another user's computer.
      const locked = await atEve.query('SELECT id FROM desk WHERE id = $1 FOR UPDATE', [desk]);
      expect(locked.rows).toEqual([]);
    });

    it('can be removed while its session listens and it owns objects in the database (SR-M3) (SR-L2)', async () => {
      const { seat } = eve.membership;
      await atEve.query('LISTEN signing_desk');
      await atEve.query(`SELECT lo_from_bytea(0, '\\x00')`);
      await atEve.query('BEGIN');
      let heard = 0;
      const ended = new Promise((resolve) => atEve.once('end', resolve));
      atEve.on('notification', () => (heard += 1));
      await atAnna.remove(OWNER, seat);
      await ended;
      await atAnna.hint(Buffer.alloc(32));
      expect(heard).toBe(0);
      await expect(connect(eve)).rejects.toMatchObject({ code: /^28/u });
      const { rows } = await postgres.run(
        `SELECT rolname FROM pg_roles WHERE rolname = '${eve.membership.address.role}'`,
      );
      expect(rows).toEqual([]);
    });

    it('loses all rights on removal, even if it owns objects in another database (SR-M3)', async () => {
      const { role, host, port } = eve.membership.address;
      const { password } = SeatSecret.parse(JSON.parse(eve.secret));
      await postgres.run('CREATE DATABASE elsewhere');
      const elsewhere = new pg.Client({ host, port, database: 'elsewhere', user: role, password });
      elsewhere.on('error', () => undefined);
      await elsewhere.connect();
      await elsewhere.query(`SELECT lo_from_bytea(4242, '\\x00')`);
      await atAnna.remove(OWNER, eve.membership.seat);
      const { rows } = await postgres.run(
        `SELECT rolcanlogin AS may, (SELECT count(*)::int FROM pg_auth_members m
         WHERE m.member = r.oid) AS groups
       FROM pg_roles r WHERE rolname = '${role}'`,
      );
      expect(rows).toEqual([{ may: false, groups: 0 }]);
      expect((await atAnna.seats()).map(({ name }) => name)).toEqual(['Anna', 'Bo']);
    });

    it('cannot break the evidence log of another computer: only that computer’s user records its end (SR-M4)', async () => {
      const { desk, seat } = eve.membership;
      const note = `INSERT INTO evidence_end (log, entries, hash, desk, seat) VALUES ($1, $2, $3, $4, $5)`;
      await atAnna.evidenceEnds.note('log', { entries: 1, hash: 'one' });
      await atEve.query(note, ['log', 99, 'a'.repeat(64), desk, seat]);
      // Ends that Eve guesses in advance do not stop the computer's user from recording the end.
      await atEve.query(note, ['log', 2, 'two', desk, seat]);
      await atAnna.evidenceEnds.note('log', { entries: 2, hash: 'two' });
      const ends = await atAnna.evidenceEnds.read(['log']);
      expect(ends.map(({ entries, hash }) => [entries, hash])).toEqual([
        [1, 'one'],
        [2, 'two'],
      ]);
    });

    it('is distinguished from a user of the same name, in any script (SR-L1)', async () => {
      const [upper, wide] = [await joined('ANNA'), await joined('Ａｎｎａ\u200B')];
      const names = ['Anna', 'ANNA', 'Ａｎｎａ\u200B'];
      const shown = [anna, upper, wide].map((one, at) => `${names[at] ?? ''} ${short(one)}`);
      expect((await atBo.seats()).map(({ name }) => name)).toEqual([
        shown[0],
        'Bo',
        'Eve',
        ...shown.slice(1),
      ]);
      expect([...(await atBo.seatNames()).values()]).toEqual([
        shown[0],
        'Bo',
        'Eve',
        shown[1],
        shown[2],
      ]);
    });

    it('is reported by the office check when it may create objects in a schema (SR-M5)', async () => {
      const role = async () => (await atBo.checks()).find(({ check }) => check === 'role');
      expect(await role()).toMatchObject({ ok: true });
      await postgres.run('GRANT CREATE ON SCHEMA public TO PUBLIC', 'office');
      expect(await role()).toMatchObject({
        ok: false,
        said: expect.stringContaining('create objects in public'),
      });
    });
  },
);
