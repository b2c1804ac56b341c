import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OfficeClaims } from '../../../electron/core/office/ports.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  keyNamed,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';

const REFUSED = { code: '42501' };
const AT_ONCE = { claimed: 0, unknown: 0 };

describe.skipIf(postgresPrograms === null)('an office user with direct SQL access', () => {
  let place: OfficeDatabase;
  /** Anna and Bo send; Eve has the same rights, and Nora none. */
  let anna: TestDesk;
  let bo: TestDesk;
  let eve: TestDesk;
  let nora: TestDesk;
  let atAnna: OfficeClaims;
  let atBo: OfficeClaims;
  let atEve: pg.Client;
  let atNora: pg.Client;

  beforeAll(async () => {
    place = await startOffice();
    anna = await place.addDesk();
    bo = await place.addDesk();
    eve = await place.addDesk();
    nora = await place.addDesk();
    await administrator(`UPDATE seat SET may_send = false, may_sign = false
      WHERE id = '${nora.seat}'`);
    [atAnna, atBo] = [place.claimsOf(anna), place.claimsOf(bo)];
    [atEve, atNora] = [await place.connect(eve), await place.connect(nora)];
  });
  beforeEach(() => place.empty());
  afterAll(async () => {
    await Promise.all([atEve?.end(), atNora?.end()]);
    await place?.remove();
  });

  const administrator = (sql: string) =>
    place.postgres.run(`SET search_path = signing_desk; ${sql}`, 'office');
  const rowOf = async (id: string) => {
    const sql = `SELECT state, desk, sealed, started_at AS "startedAt" FROM operation WHERE id = $1`;
    return (await atEve.query(sql, [id])).rows[0] as Record<string, unknown>;
  };

  /** Creates a send of Anna in this state, and returns its ID. */
  async function claimed(state?: 'done' | 'unknown'): Promise<string> {
    const one = operation(['lease']);
    await atAnna.claim([one]);
    if (state !== undefined) await atAnna.settle([{ id: one.id, state }]);
    return one.id;
  }
  /** Asserts that Bo cannot claim the same key as Anna's send. */
  async function expectHeld(): Promise<void> {
    expect(await atBo.claim([operation(['lease'])])).toMatchObject([{ ok: false }]);
  }

  it.each([
    ['claimed', undefined],
    ['done', 'done'],
    ['of unknown outcome', 'unknown'],
  ] as const)(
    'cannot release a send of another computer that is %s (DL-P3) (SR-H1)',
    async (_, state) => {
      const id = await claimed(state);
      const before = await rowOf(id);
      for (const [client, who] of [
        [atEve, eve],
        [atNora, nora],
      ] as const) {
        for (const to of ['released', 'claimed', 'unknown', 'given-up']) {
          const update = 'UPDATE operation SET state = $2, desk = $3 WHERE id = $1';
          await expect(client.query(update, [id, to, who.desk])).rejects.toMatchObject(REFUSED);
        }
        const alone = `UPDATE operation SET state = 'released' WHERE id = $1`;
        await expect(client.query(alone, [id])).rejects.toMatchObject(REFUSED);
      }
      expect(await rowOf(id)).toEqual(before);
      await expectHeld();
    },
  );

  it.each([
    ['the content', `sealed = ''`],
    ['the key version', 'key_version = 7'],
    ['the start time', `started_at = '2001-01-01'`],
  ])(
    'cannot change %s in a send of another computer when settling it (DL-P3)',
    async (_, change) => {
      const id = await claimed('unknown');
      await place.rest('1 hour');
      const take = `UPDATE operation SET state = 'unknown', desk = $2, ${change} WHERE id = $1`;
      await expect(atEve.query(take, [id, eve.desk])).rejects.toMatchObject(REFUSED);
      const done = `UPDATE operation SET state = 'done', ${change} WHERE id = $1`;
      await expect(atEve.query(done, [id])).rejects.toMatchObject(REFUSED);
    },
  );

  it('cannot revert its own send, or give it an earlier time (DL-P3)', async () => {
    const one = operation(['lease']);
    const mine = place.claimsOf(eve);
    await mine.claim([one]);
    await atEve.query(`UPDATE operation SET started_at = '2001-01-01' WHERE id = $1`, [one.id]);
    const { startedAt } = await rowOf(one.id);
    expect(Number(startedAt)).toBeGreaterThan(Date.UTC(2002, 0));
    await mine.settle([{ id: one.id, state: 'done' }]);
    const release = `UPDATE operation SET state = 'released' WHERE id = $1`;
    await expect(atEve.query(release, [one.id])).rejects.toMatchObject(REFUSED);
    await expectHeld();
  });

  it('can settle a send left by another computer after a quarter of an hour without change (DL-P3)', async () => {
    const id = await claimed();
    const take = `UPDATE operation SET state = 'unknown', desk = $2 WHERE id = $1`;
    await place.rest('14 minutes');
    await expect(atEve.query(take, [id, eve.desk])).rejects.toMatchObject(REFUSED);
    await place.rest('15 minutes');
    await expect(atNora.query(take, [id, nora.desk])).rejects.toMatchObject(REFUSED);
    expect((await atEve.query(take, [id, eve.desk])).rowCount).toBe(1);
  });

  it('can immediately settle a send left by a removed user (DL-P3)', async () => {
    const gone = await place.addDesk();
    const one = operation(['lease']);
    await place.claimsOf(gone).claim([one]);
    await administrator(`UPDATE seat SET removed_at = now() WHERE id = '${gone.seat}'`);
    expect(await place.claimsOf(eve).takeOver({ id: one.id, desk: gone.desk }, AT_ONCE)).toBe(true);
  });

  it('can immediately settle a decision handed over to it, and no other user can (DL-P3)', async () => {
    const id = await claimed('unknown');
    await place.handOver(id, anna, eve);
    const take = `UPDATE operation SET state = 'unknown', desk = $2 WHERE id = $1`;
    const atOther = await place.connect(bo);
    await expect(atOther.query(take, [id, bo.desk])).rejects.toMatchObject(REFUSED);
    await atOther.end();
    expect(await place.claimsOf(eve).takeOver({ id, desk: anna.desk }, AT_ONCE)).toBe(true);
  });

  it('can follow an interrupted send or one of unknown outcome only as the program does (DL-P3)', async () => {
    const one = { ...operation(['revoke']), kind: 'change' as const };
    await atAnna.claim([one]);
    const from = { id: one.id, desk: anna.desk };
    await expect(place.claimsOf(eve).takeOver(from, AT_ONCE)).rejects.toMatchObject({
      failure: { code: 'forbidden' },
    });
    await place.age('61 minutes');
    expect(await place.claimsOf(eve).takeOver(from, AT_ONCE)).toBe(true);
  });

  it('may report another computer’s send as found on the service, with send permission (DL-P3)', async () => {
    const id = await claimed('unknown');
    const done = `UPDATE operation SET state = 'done' WHERE id = $1`;
    await expect(atNora.query(done, [id])).rejects.toMatchObject(REFUSED);
    expect((await atEve.query(done, [id])).rowCount).toBe(1);
    expect(await rowOf(id)).toMatchObject({ state: 'done', desk: anna.desk });
  });

  it('cannot hide a send of another computer behind a released one (DL-P3)', async () => {
    await claimed('done');
    const own = randomUUID();
    await atEve.query(
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES ($1, 'send', $2, $3, 'released', '', 1)`,
      [own, eve.desk, eve.seat],
    );
    const claim = 'INSERT INTO claim (key, generation, operation) VALUES ($1, $2, $3)';
    await atEve.query(claim, [keyNamed('lease'), 2, own]);
    await expectHeld();
  });

  it('cannot exhaust the generation numbers of a claim key (DL-P3)', async () => {
    const one = operation(['mine']);
    await place.claimsOf(eve).claim([one]);
    const claim = 'INSERT INTO claim (key, generation, operation) VALUES ($1, $2, $3)';
    const far = atEve.query(claim, [keyNamed('lease'), 2_147_483_647, one.id]);
    await expect(far).rejects.toMatchObject(REFUSED);
  });

  it('cannot mark the office database as restored (DL-P3)', async () => {
    const insert = `INSERT INTO put_back (last, as_of, desk, seat)
      VALUES (0, '2001-01-01', $1, $2)`;
    await expect(atEve.query(insert, [eve.desk, eve.seat])).rejects.toMatchObject(REFUSED);
    const count = async () =>
      (await atEve.query('SELECT count(*)::int AS found FROM put_back')).rows[0] as unknown;
    const notice = 'SELECT notice_put_back($1, $2)';
    await atEve.query(notice, [anna.desk, 1000]);
    await atEve.query(notice, [eve.desk, 0]);
    expect(await count()).toEqual({ found: 0 });
    await atEve.query(notice, [eve.desk, 1000]);
    await atEve.query(notice, [eve.desk, 1000]);
    expect(await count()).toEqual({ found: 1 });
    const { rows } = await atEve.query(
      `SELECT desk, as_of > '2002-01-01' AS "isNow" FROM put_back`,
    );
    expect(rows).toEqual([{ desk: eve.desk, isNow: true }]);
    await administrator('TRUNCATE put_back CASCADE');
  });
});

describe.skipIf(postgresPrograms === null)('a send that followed an earlier send', () => {
  it('releases only its own claim: the claim of the earlier send remains (DL-P3)', async () => {
    const place = await startOffice();
    const desks = [await place.addDesk(), await place.addDesk()] as const;
    const [first, second] = [place.claimsOf(desks[0]), place.claimsOf(desks[1])];
    const sent = operation(['lease']);
    await first.claim([sent]);
    await first.settle([{ id: sent.id, state: 'done' }]);
    const follow = () => operation(['lease'], { seen: [{ id: sent.id, generation: 1 }] });
    const again = follow();
    expect(await second.claim([again])).toMatchObject([{ ok: true }]);
    await second.settle([{ id: again.id, state: 'released' }]);
    expect(await first.claim([operation(['lease'])])).toMatchObject([
      { ok: false, held: [{ id: sent.id, generation: 1 }] },
    ]);
    expect(await second.claim([follow()])).toMatchObject([{ ok: true }]);
    await place.remove();
  });
});
