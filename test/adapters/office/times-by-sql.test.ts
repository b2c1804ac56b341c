import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../../support/postgres.ts';
import { keyNamed, type OfficeDatabase, startOffice, type TestDesk } from './office-database.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const REFUSED = { code: '42501' };

describe.skipIf(postgresPrograms === null)(
  'an office user without rights and with SQL access',
  () => {
    let place: OfficeDatabase;
    let anna: TestDesk;
    let nora: TestDesk;
    let atNora: pg.Client;

    beforeAll(async () => {
      place = await startOffice();
      [anna, nora] = [await place.addDesk(), await place.addDesk()];
      atNora = await place.connect(nora);
    });
    afterAll(async () => {
      await atNora?.end();
      await place?.remove();
    });

    const administrator = (sql: string) =>
      place.postgres.run(`SET search_path = signing_desk; ${sql}`, 'office');
    const task = (name: string) => ({ kind: 'archive' as const, key: keyNamed(name), title: name });
    const insert = (name: string, number: string) =>
      atNora.query(
        `INSERT INTO lease (task, kind, number, desk, seat, sealed, key_version, until)
       VALUES ($1, 'archive', $2, $3, $4, '', 1, 'infinity')`,
        [keyNamed(name), number, nora.desk, nora.seat],
      );
    const expire = (name: string) =>
      administrator(`ALTER TABLE lease DISABLE TRIGGER USER;
      UPDATE lease SET until = '-infinity' WHERE task = '\\x${Buffer.from(keyNamed(name)).toString('hex')}';
      ALTER TABLE lease ENABLE TRIGGER USER`);

    it('cannot take a task in progress on another computer (DL-S10)', async () => {
      const taken = await place.leasesOf(anna).take(task('held'), 60_000);
      if (!taken.ok) throw new Error('It was free');
      const steal = `UPDATE lease SET number = number + 1, desk = $2, seat = $3 WHERE task = $1`;
      const stolen = atNora.query(steal, [keyNamed('held'), nora.desk, nora.seat]);
      await expect(stolen).rejects.toMatchObject(REFUSED);
      expect(await place.leasesOf(anna).renew(taken.lease, MINUTE)).toBe(true);
    });

    it('cannot keep a task longer than a quarter of an hour (DL-S10)', async () => {
      await insert('kept', '1');
      await atNora.query(
        `UPDATE lease SET until = '2200-01-01', taken_at = 'infinity'
      WHERE task = $1`,
        [keyNamed('kept')],
      );
      const { rows } = await atNora.query(
        `SELECT until <= clock_timestamp() + interval '15 minutes' AS ends FROM lease WHERE task = $1`,
        [keyNamed('kept')],
      );
      expect(rows).toEqual([{ ends: true }]);
      expect(await place.leasesOf(anna).list()).toBeDefined();
    });

    it('cannot exhaust the lease numbers of a task (DL-S10)', async () => {
      await expect(insert('far', '9223372036854775807')).rejects.toMatchObject(REFUSED);
      await insert('far', '1');
      const raise = 'UPDATE lease SET number = 9223372036854775807 WHERE task = $1';
      await expect(atNora.query(raise, [keyNamed('far')])).rejects.toMatchObject(REFUSED);
      await expire('far');
      const again = await place.leasesOf(anna).take(task('far'), 60_000, 5_000_000);
      expect(again).toMatchObject({ ok: true, lease: { number: 5_000_001 } });
    });

    it('cannot store times that other computers cannot read (DL-S10)', async () => {
      const batch = randomUUID();
      const [operation, approval] = [randomUUID(), randomUUID()];
      await atNora.query(
        `INSERT INTO batch_progress (batch, desk, seat, sealed, key_version)
       VALUES ($1, $2, $3, '', 1)`,
        [batch, nora.desk, nora.seat],
      );
      await atNora.query(
        `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES ($1, 'remind', $2, $3, 'done', '', 1)`,
        [operation, nora.desk, nora.seat],
      );
      await administrator(`INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
      VALUES ('${approval}', '${anna.desk}', '${anna.seat}', '', 1)`);
      await atNora.query(`UPDATE batch_progress SET at = 'infinity' WHERE batch = $1`, [batch]);
      await atNora.query(`UPDATE seat SET joined_at = 'infinity' WHERE id = $1`, [nora.seat]);
      await atNora.query(
        `UPDATE operation SET settled_at = 'infinity', started_at = '-infinity' WHERE id = $1`,
        [operation],
      );
      await atNora.query(
        `UPDATE approval SET decided_by = $2, decided_desk = $3, decision = '', decision_key = 1,
         decided_at = 'infinity' WHERE id = $1`,
        [approval, nora.seat, nora.desk],
      );
      const { rows } = await atNora.query(
        `SELECT at, 'batch' AS what FROM batch_progress UNION ALL SELECT joined_at, 'seat' FROM seat
       UNION ALL SELECT settled_at, 'settled' FROM operation
       UNION ALL SELECT started_at, 'started' FROM operation
       UNION ALL SELECT decided_at, 'decided' FROM approval`,
      );
      const unreadable = (rows as { at: unknown; what: string }[])
        .filter(({ at }) => at !== null && !(at instanceof Date))
        .map(({ what }) => what);
      expect(unreadable).toEqual([]);
    });

    it('is identified by the database, despite any operators that the user creates (DL-S10)', async () => {
      await administrator('CREATE SCHEMA evil; GRANT ALL ON SCHEMA evil TO PUBLIC');
      await atNora.query(`CREATE FUNCTION evil.same(uuid, uuid) RETURNS boolean LANGUAGE sql
      AS 'SELECT true'`);
      await atNora.query(`CREATE FUNCTION evil.same(text, text) RETURNS boolean LANGUAGE sql
      AS 'SELECT true'`);
      await atNora.query(
        'CREATE OPERATOR evil.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = evil.same)',
      );
      await atNora.query(
        'CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.same)',
      );
      await administrator(`UPDATE seat SET may_send = false WHERE id = '${nora.seat}'`);
      await atNora.query('BEGIN');
      await atNora.query('SET LOCAL search_path = evil, pg_catalog');
      const { rows } = await atNora.query(
        `SELECT signing_desk.is_own_desk($1) AS own, signing_desk.seat_may('send') AS may`,
        [anna.desk],
      );
      await atNora.query('ROLLBACK');
      await administrator('DROP SCHEMA evil CASCADE');
      expect(rows).toEqual([{ own: false, may: false }]);
    });

    it('cannot set the search path of any function of the office (DL-S10)', async () => {
      const { rows } = await administrator(
        `SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'signing_desk' AND p.prosqlbody IS NULL
         AND NOT coalesce('search_path=signing_desk, pg_temp' = ANY (p.proconfig), false)`,
      ).then((results) => [results].flat().at(-1) ?? { rows: [] });
      expect(rows).toEqual([]);
    });
  },
);
