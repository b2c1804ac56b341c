// tier: quick, 20 s, because one user of an office may hold up no other
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApprovals } from '../../../electron/adapters/office/approvals.ts';
import { createSharedItems } from '../../../electron/adapters/office/items.ts';
import { visitOffice } from '../../../electron/adapters/office/marks.ts';
import { sealText } from '../../../electron/adapters/office/seal.ts';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import type { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { type OfficeDatabase, startOffice, type TestDesk, unmarked } from './office-database.ts';

const REFUSED = { code: '42501' };
const TOO_MUCH = { code: 'SD002' };

describe.skipIf(postgresPrograms === null)(
  'an office user who writes very large amounts of data',
  () => {
    let place: OfficeDatabase;
    let anna: TestDesk;
    /** Eve is a user without any right. */
    let eve: TestDesk;
    let atEve: pg.Client;

    /** Runs SQL as the administrator, for example to write rows as before there were limits. */
    const administrator = (sql: string) =>
      place.postgres.run(
        `SET search_path = signing_desk; SET session_replication_role = replica; ${sql}`,
        'office',
      );
    const contextOf = ({ desk, seat }: TestDesk) => ({
      office: place.office,
      desk,
      seat,
      newestKey: () => place.key,
      mark: unmarked,
      keyOf: async () => place.key,
    });
    const itemsOf = (who: TestDesk, unreadable?: Map<string, OfficeUserId>) =>
      createSharedItems(place.serverOf(who), {
        ...contextOf(who),
        ...(unreadable !== undefined && { unreadable }),
      });
    /** A server that records each statement in `asked`. */
    const counted = (server: Transactions, asked: string[]): Transactions => ({
      ...server,
      query: (sql, values, row) => {
        asked.push(sql);
        return server.query(sql, values, row);
      },
    });
    const addRows = (kind: string, rows: number, bytes: number) =>
      administrator(`INSERT INTO shared_item
        (kind, id, version, sealed, key_version, desk, seat, number, changed_at)
      SELECT '${kind}', gen_random_uuid(), 1, decode(repeat('00', ${String(bytes)}), 'hex'), 1,
        '${eve.desk}', '${eve.seat}', n, now() FROM generate_series(1, ${String(rows)}) n`);
    const writeView = `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
    VALUES ('view', $1, 1, $2, 1, $3, $4)`;

    beforeAll(async () => {
      place = await startOffice();
      [anna, eve] = [await place.addDesk(), await place.addDesk()];
      await administrator(
        `UPDATE seat SET may_send = false, may_sign = false WHERE id = '${eve.seat}'`,
      );
      atEve = await place.connect(eve);
    });
    beforeEach(async () => {
      await administrator(`TRUNCATE shared_item, seat_use, approval, handover, batch_progress, lease CASCADE;
      TRUNCATE put_back CASCADE; UPDATE change_number SET last = 1000;
      DELETE FROM desk WHERE id NOT IN ('${anna.desk}', '${eve.desk}');
      UPDATE seat SET removed_at = NULL; UPDATE desk SET mark = 1, brought_back = NULL`);
    });
    afterAll(async () => {
      await atEve?.end();
      await place?.remove();
    });

    it.each([
      ['view', 100_001],
      ['person', 40_001],
      ['group', 8_000_001],
    ])('cannot write %s longer than %i bytes to shared tables (SR-O1)', async (kind, bytes) => {
      const sql = writeView.replace('view', kind);
      const row = [randomUUID(), Buffer.alloc(bytes), eve.desk, eve.seat];
      await expect(atEve.query(sql, row)).rejects.toMatchObject({ code: '23514' });
      row[1] = Buffer.alloc(bytes - 1);
      await atEve.query(sql, row);
    });

    it('cannot make an answer of the office too long: shared data is read in parts of some megabytes (SR-O1)', async () => {
      await addRows('group', 9, 1_500_000);
      const items = itemsOf(anna);
      const parts: number[] = [];
      for (let after = 0, more = true; more;) {
        const { items: part, hasMore } = await items.changes(['group'], after, 100);
        parts.push(part.length);
        after = part.at(-1)?.number ?? after;
        more = hasMore;
      }
      expect(parts).toEqual([2, 2, 2, 2, 1]);
    });

    it('cannot block reading with long rows: they are skipped, and their author is named (SR-O1)', async () => {
      const length = 'CONSTRAINT shared_item_sealed_length';
      await administrator(`ALTER TABLE shared_item DROP ${length}`);
      await addRows('view', 5, 16_000_000);
      await administrator(`ALTER TABLE shared_item
      ADD ${length} CHECK (octet_length(sealed) <= longest_item(kind)) NOT VALID`);
      const id = randomUUID();
      await itemsOf(anna).write([{ kind: 'view', id, version: 1, content: { name: 'Mine' } }]);
      const unreadable = new Map<string, OfficeUserId>();
      const began = Date.now();
      const { items, hasMore } = await itemsOf(anna, unreadable).changes(['view'], 0, 100);
      expect(items.map(({ isUnreadable = false }) => isUnreadable)).toEqual([
        ...Array.from({ length: 5 }, () => true),
        false,
      ]);
      expect(hasMore).toBe(false);
      expect([...unreadable.values()]).toEqual(Array.from({ length: 5 }, () => eve.seat));
      expect(Date.now() - began).toBeLessThan(2000);
    });

    it.each([
      ['200 000 rows', 'items', 200_000],
      ['128 million bytes', 'bytes', 128_000_000],
    ])(
      'can share at most %s, and can still shorten shared data at the limit (SR-O1)',
      async (_, column, most) => {
        const id = randomUUID();
        await atEve.query(writeView, [id, Buffer.alloc(50_000), eve.desk, eve.seat]);
        await administrator(`UPDATE seat_use SET ${column} = ${String(most)}`);
        const one = [randomUUID(), Buffer.alloc(100), eve.desk, eve.seat];
        await expect(atEve.query(writeView, one)).rejects.toMatchObject(TOO_MUCH);
        await expect(
          itemsOf(eve).write([{ kind: 'view', id: randomUUID(), version: 1, content: {} }]),
        ).rejects.toMatchObject({ failure: { code: 'conflict' } });
        await administrator(`UPDATE seat_use SET ${column} = ${String(most + 1000)}`);
        const shorter = `UPDATE shared_item SET version = version + 1, sealed = '\\x00' WHERE id = $1`;
        await atEve.query(shorter, [id]);
      },
    );

    it('is charged for the latest content of rows, not for rows that another user overwrote (SR-O1)', async () => {
      const id = randomUUID();
      await atEve.query(writeView, [id, Buffer.alloc(5000), eve.desk, eve.seat]);
      const use = async () =>
        (
          await place.postgres.run(
            'SELECT seat, items::int, bytes::int FROM signing_desk.seat_use ORDER BY items DESC',
            'office',
          )
        ).rows;
      expect(await use()).toEqual([{ seat: eve.seat, items: 1, bytes: 5000 }]);
      await itemsOf(anna).write([{ kind: 'view', id, version: 2, content: null }]);
      expect(await use()).toEqual([
        { seat: anna.seat, items: 1, bytes: expect.any(Number) },
        { seat: eve.seat, items: 0, bytes: 0 },
      ]);
      await expect(atEve.query('SELECT * FROM seat_use')).rejects.toMatchObject(REFUSED);
    });

    const many = {
      approval: `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
      SELECT gen_random_uuid(), $1, $2, '\\x00', 1 FROM generate_series(1, $3::int)`,
      handover: `INSERT INTO handover
        (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
      SELECT gen_random_uuid(), 'draft', gen_random_uuid(), 1, $1, $2, $2, '\\x00', 1, 1
      FROM generate_series(1, $3::int)`,
      batch_progress: `INSERT INTO batch_progress (batch, desk, seat, sealed, key_version)
      SELECT gen_random_uuid(), $1, $2, '\\x00', 1 FROM generate_series(1, $3::int)`,
      lease: `INSERT INTO lease (task, kind, number, desk, seat, sealed, key_version, until)
      SELECT decode(md5(random()::text) || md5(random()::text), 'hex'), 'intake', 1, $1, $2, '\\x00', 1,
        now() + interval '1 minute' FROM generate_series(1, $3::int)`,
    };
    it.each([
      ['approval', 200],
      ['handover', 500],
      ['batch_progress', 200],
      ['lease', 300],
    ] as const)(
      'cannot have more rows of %s than %i in a shared list (SR-O2)',
      async (table, most) => {
        const who = [eve.desk, eve.seat];
        await expect(atEve.query(many[table], [...who, most + 1])).rejects.toMatchObject(TOO_MUCH);
        await atEve.query(many[table], [...who, most]);
        await expect(atEve.query(many[table], [...who, 1])).rejects.toMatchObject(TOO_MUCH);
      },
    );

    it('cannot hide approvals of other users: their list is paged, without requests of removed users (SR-O2)', async () => {
      const title = 'Lease 17';
      const request = { title, service: '', agreementId: '1', review: 1, documents: [], note: '' };
      const sealedAs = (id: string) =>
        sealText(
          place.key,
          { office: place.office, kind: `approval asked by ${anna.seat}`, id, version: 1 },
          JSON.stringify(request),
        );
      const own = randomUUID();
      await administrator(`INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
      SELECT gen_random_uuid(), '${eve.desk}', '${eve.seat}', decode(repeat('00', 100000), 'hex'), 1
      FROM generate_series(1, 90)`);
      await administrator(`INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
      VALUES ('${own}', '${anna.desk}', '${anna.seat}',
        '\\x${Buffer.from(sealedAs(own)).toString('hex')}', 1)`);
      const asked: string[] = [];
      const server = counted(place.serverOf(anna), asked);
      const approvals = createApprovals(server, contextOf(anna));
      const listed = await approvals.list();
      expect(listed).toHaveLength(91);
      expect(listed.at(-1)).toMatchObject({ id: own, request: { title } });
      expect(asked).toHaveLength(3);
      await place.removeSeat(eve);
      expect((await approvals.list()).map(({ id }) => id)).toEqual([own]);
    });

    it('cannot write an approval longer than a hundred thousand bytes (SR-O2)', async () => {
      const long = atEve.query(
        `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
       VALUES (gen_random_uuid(), $1, $2, $3, 1)`,
        [eve.desk, eve.seat, Buffer.alloc(100_001)],
      );
      await expect(long).rejects.toMatchObject({ code: '23514' });
    });

    const newest = `(SELECT id FROM put_back ORDER BY number DESC LIMIT 1)`;
    const tell = () =>
      atEve.query(`UPDATE desk SET brought_back = ${newest} WHERE id = $1`, [eve.desk]);
    const notice = () =>
      atEve.query('SELECT notice_put_back($1, (SELECT mark + 1 FROM desk WHERE id = $1))', [
        eve.desk,
      ]);

    it('cannot lower a mark of its own computer (SR-O7)', async () => {
      const lower = atEve.query('UPDATE desk SET mark = 0 WHERE id = $1', [eve.desk]);
      await expect(lower).rejects.toMatchObject(REFUSED);
    });

    it('can make all computers wait for each other only three times a day (SR-O7)', async () => {
      for (let times = 0; times < 3; times += 1) {
        await notice();
        await tell();
      }
      await expect(notice()).rejects.toMatchObject({ code: 'SD003' });
      // Eve's own computer waits, and never continues as if no data were lost.
      const ahead = { ...unmarked, read: () => 1000 };
      const visit = (who: TestDesk) =>
        visitOffice(place.serverOf(who), { ...who, version: '1.0.0' }, ahead);
      await expect(visit(eve)).rejects.toMatchObject({
        failure: { code: 'offline', reason: 'office-put-back' },
      });
      const count = async () =>
        (await place.postgres.run('SELECT count(*)::int FROM signing_desk.put_back', 'office'))
          .rows[0]?.count;
      expect(await count()).toBe(3);
      // A notice of a restore by one user is valid for all users.
      await administrator(`UPDATE desk SET brought_back = ${newest}`);
      await visit(anna);
      expect(await count()).toBe(4);
      await visit(eve);
      await administrator(`UPDATE put_back SET noticed_at = noticed_at - interval '25 hours'`);
      await tell();
      await notice();
      expect(await count()).toBe(5);
    });

    it('confirms the notice of a restore for all of its computers together (SR-O7)', async () => {
      await atEve.query('BEGIN');
      for (let times = 0; times < 5; times += 1) {
        await notice();
        await tell();
      }
      await atEve.query('COMMIT');
      const { rows } = await atEve.query('SELECT by_mark FROM put_back');
      expect(rows).toEqual([{ by_mark: true }]);
    });

    it('cannot be renamed by a transaction that began before the user joined (SR-O8)', async () => {
      const [older, joining] = [await place.connect(eve), await place.connect(eve)];
      await administrator(`UPDATE seat SET joined_at = NULL WHERE id = '${eve.seat}'`);
      await older.query('BEGIN');
      await older.query('SELECT 1');
      const write = (sealed: string) => `UPDATE seat SET sealed = '${sealed}', joined_at = now()`;
      await joining.query('BEGIN');
      await joining.query(write('\\x01'));
      await joining.query(write('\\x02'));
      await joining.query('COMMIT');
      const refused = await older.query(write('\\x03'));
      await Promise.all([older.end(), joining.end()]);
      expect(refused.rowCount).toBe(0);
      const { rows } = await atEve.query(`SELECT sealed FROM seat WHERE id = $1`, [eve.seat]);
      expect(rows).toEqual([{ sealed: Buffer.from([2]) }]);
    });

    it('cannot backdate an operation by a transaction that began before it (SR-O8)', async () => {
      const [older, newer] = [await place.connect(anna), await place.connect(anna)];
      const id = randomUUID();
      await older.query('BEGIN');
      await older.query('SELECT 1');
      await newer.query(
        `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES ($1, 'send', $2, $3, 'unknown', '\\x00', 1)`,
        [id, anna.desk, anna.seat],
      );
      await older.query(
        `UPDATE operation SET started_at = '2001-01-01', settled_at = '2001-01-01' WHERE id = $1`,
        [id],
      );
      await older.query('COMMIT');
      const { rows } = await newer.query(
        `SELECT started_at > now() - interval '1 minute' AS begun,
         settled_at > now() - interval '1 minute' AS settled FROM operation WHERE id = $1`,
        [id],
      );
      expect(rows).toEqual([{ begun: true, settled: true }]);
      await Promise.all([older.end(), newer.end()]);
    });

    it('can have at most forty computers in three months (SR-O14)', async () => {
      const make = (count: number) =>
        atEve.query(
          `INSERT INTO desk (id, seat, version)
         SELECT gen_random_uuid(), $1, '1.0.0' FROM generate_series(1, $2::int)`,
          [eve.seat, count],
        );
      await expect(make(40)).rejects.toMatchObject(TOO_MUCH);
      await make(39);
      const visit = () =>
        visitOffice(
          place.serverOf(eve),
          { desk: randomUUID(), seat: eve.seat, version: '1.0.0' },
          unmarked,
        );
      await expect(visit()).rejects.toMatchObject({ failure: { code: 'conflict' } });
      // Occasional restores are not blocked.
      await administrator(`UPDATE desk SET seen_at = now() - interval '91 days'
      WHERE seat = '${eve.seat}' AND id <> '${eve.desk}'`);
      await visit();
    });
  },
);
