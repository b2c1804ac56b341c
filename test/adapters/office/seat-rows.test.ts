import { randomUUID } from 'node:crypto';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHandovers } from '../../../electron/adapters/office/handovers.ts';
import { createSharedItems } from '../../../electron/adapters/office/items.ts';
import { unwrapHandoverKey, wrapHandoverKey } from '../../../electron/adapters/office/keyring.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { type OfficeDatabase, startOffice, type TestDesk, unmarked } from './office-database.ts';

const REFUSED = { code: '42501' };
const TOO_MUCH = { code: 'SD002' };
const OFFICE = randomUUID();

it('a key wrapped for too many users is rejected before any elliptic curve step (SR-P12)', async () => {
  const identity = await generateX25519Identity();
  const own = await identityToRecipient(identity);
  const other = await identityToRecipient(await generateX25519Identity());
  const { key, wrapped } = await wrapHandoverKey(OFFICE, [own, other]);
  expect(Buffer.from(await unwrapHandoverKey(OFFICE, wrapped, identity))).toEqual(key);
  const encrypter = new Encrypter();
  for (let count = 0; count < 94; count += 1) encrypter.addRecipient(other);
  encrypter.addRecipient(own);
  const handover = key.toString('base64');
  const many = await encrypter.encrypt(JSON.stringify({ office: OFFICE, handover }));
  const began = process.cpuUsage();
  for (let count = 0; count < 100; count += 1) {
    await expect(unwrapHandoverKey(OFFICE, many, identity)).rejects.toMatchObject({
      failure: { reason: 'data-damaged' },
    });
  }
  expect(process.cpuUsage(began).user).toBeLessThan(500_000);
});

describe.skipIf(postgresPrograms === null)('rows of one office user', () => {
  let place: OfficeDatabase;
  let anna: TestDesk;
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

  beforeAll(async () => {
    place = await startOffice();
    [anna, eve] = [await place.addDesk(), await place.addDesk()];
    const all = 'may_see_numbers = true, may_change_templates = true';
    await administrator(`UPDATE seat SET ${all} WHERE id = '${eve.seat}'`);
    atEve = await place.connect(eve);
  });
  beforeEach(async () => {
    await administrator(`TRUNCATE shared_item, shared_file, draft_file, seat_use, approval, handover,
      handover_piece, lease, evidence_end, operation, claim CASCADE`);
  });
  afterAll(async () => {
    await atEve?.end();
    await place?.remove();
  });

  it('start with version 1 in shared data, and can overwrite a row that has the highest version (SR-P10)', async () => {
    const write = `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
      VALUES ('person', $1, $2, '\\x00', 1, $3, $4)`;
    for (const version of [2, 2_147_483_647, '9223372036854775807']) {
      const row = [randomUUID(), version, eve.desk, eve.seat];
      await expect(atEve.query(write, row)).rejects.toMatchObject({ code: '23514' });
    }
    const id = randomUUID();
    await administrator(`INSERT INTO shared_item
        (kind, id, version, sealed, key_version, desk, seat, number, changed_at)
      VALUES ('person', '${id}', 2147483647, '\\x00', 1, '${eve.desk}', '${eve.seat}', 1, now())`);
    const items = createSharedItems(place.serverOf(anna), contextOf(anna));
    const [high, first] = [
      { kind: 'person', id, version: 2_147_483_648, content: { name: 'Karin' } },
      { kind: 'person', id: randomUUID(), version: 1, content: { name: 'Important' } },
    ] as const;
    expect(await items.write([high, first])).toEqual(new Set([high, first]));
    const { items: read } = await items.changes(['person'], 0, 10);
    expect(read.map(({ version, content }) => ({ version, content }))).toEqual(
      expect.arrayContaining([high, first].map(({ version, content }) => ({ version, content }))),
    );
  });

  it('are decrypted only once until they are replaced, even if they are invalid (SR-P12)', async () => {
    let opened = 0;
    const handovers = createHandovers(place.serverOf(anna), {
      ...contextOf(anna),
      handoverKeys: {
        make: () => Promise.reject(new Error('Nothing is given')),
        async open() {
          opened += 1;
          return unwrapHandoverKey(place.office, Buffer.from('no age'), 'AGE-SECRET-KEY-1');
        },
      },
    });
    const give = (count: number) =>
      administrator(`INSERT INTO handover (id, kind, what, revision, from_desk, from_seat, to_seat,
          sealed, key_version, pieces, wrapped)
        SELECT gen_random_uuid(), 'draft', gen_random_uuid(), 1, '${eve.desk}', '${eve.seat}',
          '${anna.seat}', '\\x00', 1, 1, decode(md5(random()::text), 'hex')
        FROM generate_series(1, ${String(count)})`);
    await give(20);
    expect((await handovers.list()).map(({ title }) => title)).toEqual(Array(20).fill(null));
    await handovers.list();
    expect(opened).toBe(20);
    await give(1);
    await handovers.list();
    expect(opened).toBe(21);
  });

  const full = {
    evidence_end: `INSERT INTO evidence_end (log, entries, hash, desk, seat)
      SELECT 'log', n, gen_random_uuid(), $1, $2 FROM generate_series(1, $3::int) n`,
    lease: `INSERT INTO lease (task, kind, number, desk, seat, sealed, key_version, until)
      SELECT decode(md5(random()::text) || md5(random()::text), 'hex'), 'intake', 1, $1, $2, '\\x00', 1,
        now() - interval '1 minute' FROM generate_series(1, $3::int)`,
    handover: `INSERT INTO handover
        (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces, taken_at)
      SELECT gen_random_uuid(), 'draft', gen_random_uuid(), 1, $1, $2, $2, '\\x00', 1, 1, now()
      FROM generate_series(1, $3::int)`,
    approval: `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version, decided_by,
        decided_desk, decision, decision_key, decided_at)
      SELECT gen_random_uuid(), $1, $2, '\\x00', 1, gen_random_uuid(), $1, '', 1, now()
      FROM generate_series(1, $3::int)`,
    shared_file: `INSERT INTO shared_file (file, place, pieces, sealed, key_version, seat)
      SELECT decode(md5(random()::text) || md5($1::text), 'hex'), 0, 1, '\\x00', 1, $2
      FROM generate_series(1, $3::int)`,
    draft_file: `INSERT INTO draft_file (draft, file, place, pieces, sealed, key_version, seat)
      SELECT gen_random_uuid(), decode(md5(random()::text) || md5($1::text), 'hex'), 0, 1, '\\x00', 1, $2
      FROM generate_series(1, $3::int)`,
  };
  const more = {
    evidence_end: full.evidence_end.replace("'log'", "'more'"),
    lease: full.lease,
    handover: full.handover.replace(', taken_at)', ')').replace('1, 1, now()', '1, 1'),
    approval: `INSERT INTO approval (id, from_desk, from_seat, sealed, key_version)
      SELECT gen_random_uuid(), $1, $2, '\\x00', 1 FROM generate_series(1, $3::int)`,
  };
  const own = (table: 'shared_file' | 'draft_file') => `
    INSERT INTO ${table} (${table === 'draft_file' ? 'draft, ' : ''}file, place, pieces, sealed, key_version)
    VALUES (${table === 'draft_file' ? 'gen_random_uuid(), ' : ''}
      decode(md5(random()::text) || md5('x'), 'hex'), 0, 1, '\\x00', 1)`;
  const filled = (table: keyof typeof full, count: number, who: TestDesk) =>
    administrator(
      full[table]
        .replaceAll('$1', `'${who.desk}'`)
        .replaceAll('$2', `'${who.seat}'`)
        .replaceAll('$3', String(count)),
    );
  const add = (table: keyof typeof full) =>
    table === 'shared_file' || table === 'draft_file'
      ? atEve.query(own(table))
      : atEve.query(more[table], [eve.desk, eve.seat, 1]);

  it.each([
    ['evidence_end', 10_000],
    ['lease', 5000],
    ['handover', 2000],
    ['approval', 1000],
    ['shared_file', 20_000],
    ['draft_file', 10_000],
  ] as const)(
    'are limited in %s, far above an office’s needs: %i, without counting rows of others (SR-P13)',
    async (table, most) => {
      await filled(table, most, anna);
      await filled(table, most - 1, eve);
      await add(table);
      await expect(add(table)).rejects.toMatchObject(TOO_MUCH);
    },
  );

  it.each([
    ['evidence_end', 'noted_at', 10_000],
    ['lease', 'taken_at', 5000],
    ['handover', 'given_at', 2000],
    ['approval', 'asked_at', 1000],
  ] as const)('may be written to %s again after a day (SR-P13)', async (table, time, most) => {
    await filled(table, most, eve);
    await administrator(`UPDATE ${table} SET ${time} = now() - interval '25 hours'`);
    expect((await add(table)).rowCount).toBe(1);
  });

  it('are limited to as many open sends as a large office has, until some of them are settled (SR-P13)', async () => {
    const some = (count: number, state: string) =>
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       SELECT gen_random_uuid(), 'send', '${eve.desk}', '${eve.seat}', '${state}', '\\x00', 1
       FROM generate_series(1, ${String(count)})`;
    await administrator(some(29_999, 'unknown'));
    await atEve.query(some(10, 'done'));
    await atEve.query(some(1, 'claimed'));
    await expect(atEve.query(some(1, 'claimed'))).rejects.toMatchObject(TOO_MUCH);
    await atEve.query(some(1, 'released'));
    const again = `UPDATE operation SET state = 'claimed' WHERE state = 'released'`;
    await expect(atEve.query(again)).rejects.toMatchObject(TOO_MUCH);
    // Existing open sends may become unknown or done, even above the limit.
    await administrator(some(10, 'unknown'));
    await atEve.query(`UPDATE operation SET state = 'unknown' WHERE state = 'claimed'`);
    await atEve.query(`UPDATE operation SET state = 'done' WHERE id IN (
      SELECT id FROM operation WHERE state = 'unknown' LIMIT 12)`);
    await atEve.query(again);
  });

  it('are limited to 128 million bytes of open sends (SR-P13)', async () => {
    const long = (count: number) =>
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       SELECT gen_random_uuid(), 'send', '${eve.desk}', '${eve.seat}', 'claimed', b.bytes, 1
       FROM (SELECT decode(repeat('00', 300000), 'hex') AS bytes OFFSET 0) b,
         generate_series(1, ${String(count)})`;
    await administrator(long(426));
    await expect(atEve.query(long(1))).rejects.toMatchObject(TOO_MUCH);
  });

  const give = (id: string, pieces: number) =>
    atEve.query(
      `INSERT INTO handover (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
       VALUES ($1, 'draft', gen_random_uuid(), 1, $2, $3, $4, '\\x00', 1, $5)`,
      [id, eve.desk, eve.seat, anna.seat, pieces],
    );
  const piece = (id: string, at: number) =>
    atEve.query(`INSERT INTO handover_piece VALUES ($1, $2, '\\x00')`, [id, at]);
  const take = (id: string) =>
    atEve.query('UPDATE handover SET taken_at = now() WHERE id = $1', [id]);

  it('are limited to the declared chunks of a waiting handover, and removed once it is accepted (SR-P13)', async () => {
    const id = randomUUID();
    await atEve.query('BEGIN');
    await give(id, 2);
    await piece(id, 0);
    await piece(id, 1);
    await atEve.query('SAVEPOINT before');
    await expect(piece(id, 2)).rejects.toMatchObject(REFUSED);
    await atEve.query('ROLLBACK TO before');
    await atEve.query('COMMIT');
    const count = async () =>
      (
        await administrator('SELECT count(*)::int FROM handover_piece').then((all) =>
          [all].flat().at(-1),
        )
      )?.rows[0]?.count;
    expect(await count()).toBe(2);
    await take(id);
    expect(await count()).toBe(0);
    await atEve.query('BEGIN');
    await take(id);
    await expect(piece(id, 0)).rejects.toMatchObject(REFUSED);
    await atEve.query('ROLLBACK');
  });

  it('are limited to waiting handovers of five thousand chunks together (SR-P13)', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await give(first, 5000);
    await expect(give(second, 1)).rejects.toMatchObject(TOO_MUCH);
    await take(first);
    await give(second, 1);
  });
});
