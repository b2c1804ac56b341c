import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { visitOffice } from '../../../electron/adapters/office/marks.ts';
import { officeGroupRole } from '../../../electron/adapters/office/rights.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { type OfficeDatabase, startOffice, type TestDesk, unmarked } from './office-database.ts';

const REFUSED = { code: '42501' };

describe.skipIf(postgresPrograms === null)(
  'an office user with SQL access to a restored office',
  () => {
    let place: OfficeDatabase;
    /** Nora is a user without any right. */
    let anna: TestDesk;
    let bo: TestDesk;
    let nora: TestDesk;
    let atNora: pg.Client;

    beforeAll(async () => {
      place = await startOffice();
      [anna, bo, nora] = [await place.addDesk(), await place.addDesk(), await place.addDesk()];
      await administrator(
        `UPDATE seat SET may_send = false, may_sign = false WHERE id = '${nora.seat}'`,
      );
      atNora = await place.connect(nora);
    });
    beforeEach(async () => {
      await administrator(`TRUNCATE put_back CASCADE;
      DELETE FROM desk WHERE id NOT IN ('${anna.desk}', '${bo.desk}', '${nora.desk}');
      DELETE FROM seat WHERE id NOT IN ('${anna.seat}', '${bo.seat}', '${nora.seat}');
      UPDATE desk SET seen_at = now() - interval '1 day', mark = 1, brought_back = NULL`);
    });
    afterAll(async () => {
      await atNora?.end();
      await place?.remove();
    });

    const administrator = (sql: string) =>
      place.postgres.run(`SET search_path = signing_desk; ${sql}`, 'office');
    const seen = (who: TestDesk, at: string) =>
      administrator(`UPDATE desk SET seen_at = ${at} WHERE id = '${who.desk}'`);
    /** Makes the database look like a dump that was restored to another database. */
    const restore = () => administrator(`UPDATE this_database SET place = 'elsewhere'`);
    const visit = (who: TestDesk) =>
      visitOffice(place.serverOf(who), { ...who, version: '1.0.0' }, unmarked);
    const putBack = async () => {
      const found = await place.putBacksOf(bo).read();
      if (found === null) throw new Error('Nobody noticed');
      return found;
    };
    const awaited = async () => (await putBack()).awaited.map(({ desk }) => desk);
    const awaitedSeats = async () => (await putBack()).awaited.map(({ seat }) => String(seat));
    const tell = async (who: TestDesk) => place.putBacksOf(who).told((await putBack()).id);
    const lostDesk = (of = randomUUID()) => ({
      desk: randomUUID(),
      seat: of,
      role: `${officeGroupRole(place.office)}_${of.replaceAll('-', '').slice(0, 12)}`,
      seenAt: Date.now(),
    });
    const missBy = async (who: TestDesk, lost: ReturnType<typeof lostDesk>) =>
      place.putBacksOf(who).miss((await putBack()).id, [{ ...lost, seat: lost.seat as never }]);
    const forge = async (missing: string, ofSeat: string, role = 'nobody', at = 'now()') =>
      atNora.query(
        `INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
       VALUES ($1, $2, $3, $4, ${at}, $5, $6)`,
        [(await putBack()).id, missing, ofSeat, role, nora.desk, nora.seat],
      );
    const makeDesk = (id: string) =>
      atNora.query(`INSERT INTO desk (id, seat, version) VALUES ($1, $2, '')`, [id, nora.seat]);

    it.each(['2200-01-01', '2001-01-01', 'infinity'])(
      'cannot set the time of the last visit of a computer: %s (DL-S7)',
      async (at) => {
        await atNora.query('UPDATE desk SET seen_at = $2 WHERE id = $1', [nora.desk, at]);
        const { rows } = await atNora.query(
          `SELECT seen_at BETWEEN now() - interval '1 minute' AND now() + interval '1 minute' AS is_now
         FROM desk WHERE id = $1`,
          [nora.desk],
        );
        expect(rows).toEqual([{ is_now: true }]);
      },
    );

    it('cannot hide a computer behind an older row whose last visit is in the future (DL-S7)', async () => {
      await seen(anna, `now() - interval '30 days'`);
      await seen(nora, `'2200-01-01'`);
      await restore();
      await visit(bo);
      await tell(bo);
      expect(new Set(await awaited())).toEqual(new Set([anna.desk, nora.desk]));
      expect((await putBack()).asOf).toBeLessThan(Date.now());
    });

    it('cannot hide a computer by visiting before the restore is noticed (DL-S7)', async () => {
      await administrator(`UPDATE desk SET seen_at = now() - interval '200 days'`);
      await seen(anna, `now() - interval '220 days'`);
      await restore();
      await atNora.query('UPDATE desk SET seen_at = clock_timestamp() WHERE id = $1', [nora.desk]);
      await makeDesk(randomUUID());
      await visit(bo);
      expect(await awaited()).toContain(anna.desk);
    });

    it('cannot end the wait for other computers with a second notice of the restore (DL-S7)', async () => {
      await administrator(`UPDATE desk SET seen_at = now() - interval '100 days'`);
      await seen(anna, `now() - interval '150 days'`);
      await restore();
      await visit(bo);
      const lost = lostDesk();
      await missBy(bo, lost);
      for (const who of [bo, nora]) {
        await visit(who);
        await tell(who);
      }
      const before = new Set(await awaited());
      expect(before).toEqual(new Set([anna.desk, lost.desk]));
      const first = (await putBack()).id;
      await atNora.query('SELECT notice_put_back($1, 1000000)', [nora.desk]);
      expect((await putBack()).id).not.toBe(first);
      for (const who of [bo, nora]) await tell(who);
      expect(new Set(await awaited())).toEqual(before);
    });

    it('cannot take over the ID of a computer that another user reported as lost (DL-S8)', async () => {
      await restore();
      await visit(bo);
      const lost = lostDesk();
      await missBy(bo, lost);
      await expect(makeDesk(lost.desk)).rejects.toMatchObject(REFUSED);
      expect(await awaited()).toContain(lost.desk);
    });

    it('cannot report for a lost computer of another user whose ID it took before the report (DL-S8)', async () => {
      const lost = lostDesk();
      await restore();
      await visit(bo);
      await makeDesk(lost.desk);
      await missBy(bo, lost);
      await atNora.query('UPDATE desk SET brought_back = $2 WHERE id = $1', [
        lost.desk,
        (await putBack()).id,
      ]);
      expect(await awaitedSeats()).toContain(lost.seat);
    });

    it('cannot block an existing computer by reporting it as a lost computer of another user (DL-S8)', async () => {
      await restore();
      await visit(bo);
      await forge(anna.desk, randomUUID());
      await visit(anna);
      await tell(anna);
      expect(await awaited()).not.toContain(anna.desk);
    });

    it('cannot hide a user without a computer behind a computer that is not lost (DL-S8)', async () => {
      const seat = randomUUID();
      const role = lostDesk(seat).role;
      await administrator(`INSERT INTO seat (id, role, sealed, key_version)
      VALUES ('${seat}', '${role}', '', 1)`);
      await restore();
      await visit(bo);
      await forge(nora.desk, seat, role);
      const { awaited: all } = await putBack();
      expect(all.filter((one) => String(one.seat) === seat).map(({ desk }) => desk)).toContain(
        seat,
      );
      expect(new Set(all.map(({ desk }) => desk)).size).toBe(all.length);
      const excused = all.filter((one) => String(one.seat) !== seat).map(({ desk }) => desk);
      await place.putBacksOf(bo).excuse((await putBack()).id, excused);
      expect(await awaitedSeats()).toContain(seat);
    });

    it('cannot hide a role without a user behind another user’s computer (DL-S8)', async () => {
      const { role } = lostDesk();
      await administrator(`CREATE ROLE ${role} LOGIN IN ROLE ${officeGroupRole(place.office)}`);
      await restore();
      await visit(bo);
      const before = await awaitedSeats();
      expect(before).toHaveLength(4);
      await forge(randomUUID(), nora.seat, role);
      await forge(nora.desk, lostDesk().seat, role);
      expect(await awaitedSeats()).toEqual(expect.arrayContaining(before));
      await administrator(`DROP ROLE ${role}`);
    });

    it('cannot create a computer under an ID for which another user is awaited (DL-S8)', async () => {
      const { role } = lostDesk();
      await administrator(`CREATE ROLE ${role} LOGIN IN ROLE ${officeGroupRole(place.office)}`);
      const { rows } = await atNora.query(
        `SELECT overlay(overlay(md5($1) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid AS id`,
        [role],
      );
      await makeDesk((rows as { id: string }[])[0]?.id ?? '');
      await restore();
      await visit(bo);
      const all = await awaited();
      expect(all).toHaveLength(5);
      expect(new Set(all).size).toBe(all.length);
      for (const { desk, seat } of (await putBack()).awaited) {
        if (desk === String(seat)) await expect(makeDesk(desk)).rejects.toMatchObject(REFUSED);
      }
      await expect(makeDesk(anna.seat)).rejects.toMatchObject(REFUSED);
      await administrator(`DROP ROLE ${role}`);
    });

    it('cannot make the list of the awaited computers unreadable (DL-S10)', async () => {
      await restore();
      await visit(bo);
      await forge(randomUUID(), randomUUID(), 'nobody', `'infinity'`);
      expect((await awaited()).length).toBeGreaterThan(0);
    });

    it('can report at most 1,000 lost computers, and a computer that knows more reports 1,000 (DL-S10)', async () => {
      await restore();
      await visit(bo);
      const { id } = await putBack();
      const many = Array.from({ length: 1001 }, () => ({
        ...lostDesk(),
        seat: anna.seat as never,
      }));
      await place.putBacksOf(bo).miss(id, many);
      await place.putBacksOf(bo).miss(id, many);
      const sql = 'SELECT count(*)::int AS found FROM put_back_missing';
      expect((await atNora.query(sql)).rows).toEqual([{ found: 1000 }]);
      await atNora.query(
        `INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), '', now(), $2, $3
       FROM generate_series(1, 1000)`,
        [id, nora.desk, nora.seat],
      );
      await expect(forge(randomUUID(), randomUUID())).rejects.toMatchObject(REFUSED);
    });

    it('cannot report a counter that the computer cannot have reached (DL-S10)', async () => {
      const notice = atNora.query('SELECT notice_put_back($1, $2)', [
        nora.desk,
        '9000000000000000',
      ]);
      await expect(notice).rejects.toMatchObject(REFUSED);
    });
  },
);
