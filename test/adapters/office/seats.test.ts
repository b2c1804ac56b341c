// tier: all
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../../electron/adapters/office/schema.ts';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { SeatSecret } from '../../../electron/adapters/office/keyring.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import type { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { operation, unmarked } from './office-database.ts';
import { databaseScript } from '../../../shared/rules/office/database-script.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const DATABASE = 'shared_office';
const VERSION = '1.2.3';

describe.skipIf(postgresPrograms === null)('an office after setup', () => {
  let postgres: Postgres;
  let anna: Member;
  let atAnna: OpenOffice;
  const opened: OpenOffice[] = [];

  const open = async (member: Member): Promise<OpenOffice> => {
    const office = await offices.open(member, VERSION, unmarked);
    opened.push(office);
    return office;
  };
  const invite = (name: string, rights: readonly OfficeUserRight[] = ['send', 'sign']) =>
    atAnna.invite({ owner: OWNER, name, rights });
  const joined = async (name: string, rights?: readonly OfficeUserRight[]): Promise<Member> => {
    const { invitation, phrase } = await invite(name, rights);
    return offices.join(invitation, phrase);
  };
  /** Runs direct SQL with the rights of the user. */
  const asSeat = async (
    { membership, secret }: Member,
    sql: string,
    values: unknown[] = [],
  ): Promise<pg.QueryResult> => {
    const { password } = SeatSecret.parse(JSON.parse(secret));
    const { host, port, database, role: user } = membership.address;
    const client = new pg.Client({ host, port, database, user, password });
    await client.connect();
    try {
      await client.query('SET search_path = signing_desk');
      await client.query(`SET signing_desk.schema = '${String(SCHEMA_VERSION)}'`);
      return await client.query(sql, values);
    } finally {
      await client.end();
    }
  };
  const asAdministrator = (sql: string) =>
    postgres.run(`SET search_path = signing_desk; ${sql}`, DATABASE);

  beforeAll(async () => {
    postgres = await borrowPostgres();
    // Runs the commands of the printed script, without the password prompt.
    const script = databaseScript({ database: DATABASE, owner: OWNER.role });
    let database: string | undefined;
    for (const line of script.split('\n')) {
      database = /^\\connect (\w+)/u.exec(line)?.[1] ?? database;
      if (/^(?:CREATE|REVOKE)/u.test(line)) await postgres.run(line, database);
    }
    await postgres.run(`ALTER ROLE ${OWNER.role} PASSWORD '${OWNER.password}'`);
    const { host, port } = postgres.address;
    anna = await offices.create({
      address: { host, port, database: DATABASE, trust: null },
      owner: OWNER,
      name: 'Anna',
      goesOnWithout: false,
    });
    atAnna = await open(anna);
  });
  afterAll(async () => {
    await Promise.all(opened.map((office) => office.close()));
    await postgres.remove();
  });

  it('lets computers join one after the other, and lists all users on each computer', async () => {
    await open(await joined('Bo', ['send']));
    await invite('Cia');
    const seats = await atAnna.seats();
    expect(
      seats.map(({ name, rights, joinedAt, isOwn, desks }) => ({
        name,
        rights,
        isOwn,
        isIn: joinedAt !== null,
        desks: desks.map(({ version, isThis }) => ({ version, isThis })),
      })),
    ).toEqual([
      {
        name: 'Anna',
        rights: ['send', 'sign', 'numbers', 'templates'],
        isOwn: true,
        isIn: true,
        desks: [{ version: VERSION, isThis: true }],
      },
      {
        name: 'Bo',
        rights: ['send'],
        isOwn: false,
        isIn: true,
        desks: [{ version: VERSION, isThis: false }],
      },
      { name: 'Cia', rights: ['send', 'sign'], isOwn: false, isIn: false, desks: [] },
    ]);
  });

  it('grants a claim with the same keys to only one computer', async () => {
    const atBo = await open(await joined('Bo of claims'));
    const key = ['content', 'lease 17'];
    expect(atBo.joined.claimKey(key)).toEqual(atAnna.joined.claimKey(key));
    const one = { ...operation([]), keys: [{ key: atAnna.joined.claimKey(key), seen: [] }] };
    const [mine] = await atAnna.joined.claims.claim([one]);
    const [theirs] = await atBo.joined.claims.claim([{ ...one, id: randomUUID() }]);
    expect([mine?.ok, theirs?.ok]).toEqual([true, false]);
    expect((await atBo.joined.claims.open()).map(({ about }) => about?.title)).toContain(
      'Lease 17',
    );
  });

  it('opens an invitation only with its own recovery words, and only once', async () => {
    const { invitation, phrase } = await invite('Dan');
    const { phrase: other } = await invite('Eva');
    await expect(offices.join(invitation, 'no such words')).rejects.toMatchObject({
      failure: { reason: 'phrase-wrong' },
    });
    await expect(offices.join(invitation, other)).rejects.toMatchObject({
      failure: { reason: 'phrase-other' },
    });
    await expect(offices.join(invitation.slice(0, -200), phrase)).rejects.toMatchObject({
      failure: { reason: 'not-an-invitation' },
    });
    await offices.join(invitation, phrase);
    await expect(offices.join(invitation, phrase)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'invitation-used' },
    });
  });

  it('wraps the keys of an invitation again only for the computer that accepts it', async () => {
    const { invitation, phrase, seat } = await invite('Fia');
    const wrapped = async () => {
      const { rows } = await postgres.run(
        "SELECT seat, encode(wrapped, 'hex') AS wrapped FROM signing_desk.office_key ORDER BY seat, version",
        DATABASE,
      );
      const [own, others] = [true, false].map((isOwn) =>
        rows.filter((row) => (row['seat'] === seat) === isOwn),
      );
      return { own, others };
    };
    const before = await wrapped();
    await offices.join(invitation, phrase);
    const after = await wrapped();
    expect(after.own).toHaveLength(before.own?.length ?? 0);
    expect(after.own).not.toEqual(before.own);
    expect(after.others).toEqual(before.others);
  });

  it('keeps the files of a shared draft if its removal was based on an older version', async () => {
    const draft = { kind: 'draft', id: randomUUID() } as const;
    const data = Buffer.from('%PDF');
    const hash = createHash('sha256').update(data).digest('hex');
    await atAnna.items.write([{ ...draft, version: 1, content: { title: 'Lease' } }]);
    await atAnna.files.put(draft, hash, data);
    const removal = { ...draft, version: 1, content: null };
    expect(await atAnna.items.write([removal])).toEqual(new Set());
    expect(Buffer.from(await atAnna.files.read(draft, hash))).toEqual(data);
    expect(await atAnna.items.write([{ ...removal, version: 2 }])).toHaveProperty('size', 1);
    await expect(atAnna.files.read(draft, hash)).rejects.toMatchObject({
      failure: { reason: 'data-damaged' },
    });
  });

  it('shows the last visit of each computer, even when it only read', async () => {
    const seenAt = async () => {
      const [own] = (await atAnna.seats()).filter(({ isOwn }) => isOwn);
      return own?.desks[0]?.seenAt ?? 0;
    };
    await asAdministrator("UPDATE desk SET seen_at = now() - interval '1 day'");
    expect(await seenAt()).toBeLessThan(Date.now() - DAY / 2);
    await atAnna.visit();
    expect(await seenAt()).toBeGreaterThan(Date.now() - DAY / 2);
  });

  it('cannot be created a second time in its database', async () => {
    const { address } = anna.membership;
    const order = { address, owner: OWNER, name: 'Second', goesOnWithout: false };
    await expect(offices.create(order)).rejects.toMatchObject({ failure: { code: 'conflict' } });
  });

  it('reports a wrong password, and does not offer an upgrade to other users', async () => {
    const wrong = { ...OWNER, password: 'wrong' };
    await expect(atAnna.invite({ owner: wrong, name: 'X', rights: [] })).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'office-refused' },
    });
    await offices.upgrade(anna.membership, OWNER);
    const { password } = SeatSecret.parse(JSON.parse(anna.secret));
    const seat = { role: anna.membership.address.role, password };
    await expect(offices.upgrade(anna.membership, seat)).rejects.toMatchObject({
      failure: { code: 'forbidden' },
    });
  });

  it('rejects an office that a newer program has changed', async () => {
    await asAdministrator('UPDATE schema_version SET version = version + 1');
    await expect(offices.open(anna, VERSION, unmarked)).rejects.toMatchObject({
      failure: { code: 'newer-data' },
    });
    await asAdministrator('UPDATE schema_version SET version = version - 2');
    await expect(offices.open(anna, VERSION, unmarked)).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    await asAdministrator('UPDATE schema_version SET version = version + 1');
  });

  it('removes a user’s role immediately, and continues with a new key', async () => {
    const fay = await joined('Fay');
    const atFay = await open(fay);
    const gus = await joined('Gus');
    const atGus = await open(gus);
    const waiting = await invite('Hal');
    await atAnna.remove(OWNER, fay.membership.seat);
    await expect(atFay.joined.claims.open()).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'office-refused' },
    });
    await expect(offices.open(fay, VERSION, unmarked)).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'office-refused' },
    });
    // One computer writes under the new key; another one that stayed connected reads it.
    expect(await atAnna.visit()).not.toBeNull();
    await atAnna.joined.claims.claim([operation(['after the removal'])]);
    expect((await atGus.joined.claims.open()).length).toBeGreaterThan(0);
    const renewed = await atGus.visit();
    expect(SeatSecret.parse(JSON.parse(renewed ?? '')).keys).toHaveLength(2);
    expect(await atGus.visit()).toBeNull();
    // An invitation that is not accepted yet still works.
    const hal = await offices.join(waiting.invitation, waiting.phrase);
    expect(SeatSecret.parse(JSON.parse(hal.secret)).keys).toHaveLength(2);
    expect((await atAnna.seats()).map(({ name }) => name)).not.toContain('Fay');
  });

  it('lets only permitted users have personal number keys, and pass them on', async () => {
    const numbersOf = (secret: string) =>
      SeatSecret.parse(JSON.parse(secret)).keys.map(({ numbers }) => numbers !== null);
    const [lea, max] = [await joined('Lea', ['numbers']), await joined('Max', ['send'])];
    expect(numbersOf(lea.secret)).not.toContain(false);
    expect(numbersOf(max.secret)).not.toContain(true);
    const atMax = await open(max);
    const order = { owner: OWNER, name: 'Nia', rights: ['numbers'] as const };
    await expect(atMax.invite(order)).rejects.toMatchObject({ failure: { code: 'forbidden' } });
    // Another user's removal also gives the new keys only to permitted users.
    const gone = await joined('Ole');
    await atMax.remove(OWNER, gone.membership.seat);
    const [atLea, renewed] = [await open(lea), await atMax.visit()];
    expect(numbersOf(renewed ?? '').at(-1)).toBe(false);
    expect(numbersOf(atLea.renewedSecret ?? '').at(-1)).toBe(true);
    await atAnna.visit();
  });

  it('lists the activity of its computers in pages, each entry once, also of removed users', async () => {
    const gil = await joined('Gil');
    const atGil = await open(gil);
    const acts = Array.from({ length: 120 }, (_, at) => operation([`act ${String(at)}`]));
    for (const act of acts) await atGil.joined.claims.claim([act]);
    await atAnna.remove(OWNER, gil.membership.seat);
    const listed: string[] = [];
    for (let before: string | null = null, hasMore = true; hasMore;) {
      const page: Awaited<ReturnType<OpenOffice['activity']>> = await atAnna.activity({
        before,
        seat: gil.membership.seat,
        kind: 'send',
      });
      for (const { id, seat, title } of page.items) {
        listed.push(id);
        expect([seat, title]).toEqual(['Gil', 'Lease 17']);
      }
      before = listed.at(-1) ?? null;
      ({ hasMore } = page);
    }
    expect(listed).toEqual(acts.map(({ id }) => id).toReversed());
    expect((await atAnna.activity({ before: null, seat: null, kind: 'sign' })).items).toEqual([]);
  });

  it('reveals no passwords, keys, names or titles to its server', async () => {
    const ivy = await joined('Ivy Very Private');
    const atIvy = await open(ivy);
    await atIvy.joined.claims.claim([operation(['a private one'])]);
    const { password, claims, keys } = SeatSecret.parse(JSON.parse(ivy.secret));
    const tables = ['office', 'seat', 'office_key', 'desk', 'operation', 'claim', 'shared_item'];
    for (const table of tables) {
      const { rows } = await asAdministrator(`SELECT t::text AS line FROM ${table} t`).then(
        (results) => (Array.isArray(results) ? results[1] : results),
      );
      const bytes = rows.map(({ line }: { line: string }) => line).join('\n');
      for (const text of [
        'Ivy Very',
        'Lease 17',
        password,
        claims,
        ...keys.map(({ key }) => key),
      ]) {
        expect(bytes).not.toContain(text);
        expect(bytes).not.toContain(Buffer.from(text).toString('hex'));
      }
    }
  });

  describe('makes its database reject', () => {
    let jan: Member;
    let kim: Member;
    let committed: string;
    beforeAll(async () => {
      jan = await joined('Jan', ['send']);
      kim = await joined('Kim', []);
      await open(jan);
      await open(kim);
      const one = operation(['committed by Jan']);
      committed = one.id;
      await opened.at(-2)?.joined.claims.claim([one]);
    });

    const insert = (kind: string, seat: string, desk: string): [string, unknown[]] => [
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES ($1, $2, $3, $4, 'claimed', '', 1)`,
      [randomUUID(), kind, desk, seat],
    ];

    it.each([
      ['a signature of a user who may only send', () => [jan, 'sign', jan] as const],
      ['a send of a user who may not send', () => [kim, 'send', kim] as const],
      ['a send in the name of another user', () => [kim, 'send', jan] as const],
    ])('%s', async (_, given) => {
      const [who, kind, name] = given();
      const { seat, desk } = name.membership;
      await expect(asSeat(who, ...insert(kind, seat, desk))).rejects.toMatchObject({
        code: '42501',
      });
    });

    it.each([
      ['a new table in its schema', 'CREATE TABLE mine (id integer)'],
      ['a new table in another schema', 'CREATE TABLE public.mine (id integer)'],
      ['giving itself a right', 'UPDATE seat SET may_sign = true'],
      ['deleting an operation', 'DELETE FROM operation'],
      ['deleting a user', 'DELETE FROM seat'],
      ['changing the version of the key', 'UPDATE office SET key_version = 9'],
      ['changing the user of an operation', 'UPDATE operation SET seat = this_seat()'],
      ['a new role', 'CREATE ROLE other LOGIN'],
      ['a large object, which no row limits (SR-M3)', `SELECT lo_from_bytea(0, '\\x00')`],
      ['deleting a shared item', 'DELETE FROM shared_item'],
      ['renumbering a change', 'UPDATE shared_item SET number = 1'],
      ['resetting the change numbers', 'UPDATE change_number SET last = 0'],
      ['deleting the recorded end of a log', 'DELETE FROM evidence_end'],
      ['changing the recorded end of a log', `UPDATE evidence_end SET hash = ''`],
      ['redirecting a draft to another user', 'UPDATE handover SET to_seat = from_seat'],
    ])('%s', async (_, sql) => {
      await expect(asSeat(jan, sql)).rejects.toMatchObject({ code: '42501' });
    });

    it('undoing a granted claim', async () => {
      await asSeat(jan, 'DELETE FROM claim');
      const { rows } = await asSeat(kim, 'SELECT 1 FROM claim WHERE operation = $1', [committed]);
      expect(rows).toHaveLength(1);
    });

    it('releasing the operation of another user', async () => {
      const release = `UPDATE operation SET state = 'released' WHERE id = $1`;
      await expect(asSeat(kim, release, [committed])).rejects.toMatchObject({ code: '42501' });
    });

    it('a shared item whose version does not follow the last one, or is in another user’s name', async () => {
      const { seat, desk } = jan.membership;
      const id = randomUUID();
      const write = (version: number, whose: string): [string, unknown[]] => [
        `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
         VALUES ('person', $1, $2, '', 1, $3, $4)`,
        [id, version, desk, whose],
      ];
      await expect(asSeat(kim, ...write(1, seat))).rejects.toMatchObject({ code: '42501' });
      await asSeat(jan, ...write(1, seat));
      const raise =
        'UPDATE shared_item SET version = version + $2, seat = $3, desk = $4 WHERE id = $1';
      const skipped = asSeat(jan, raise, [id, 2, seat, desk]);
      await expect(skipped).rejects.toMatchObject({ code: '23514' });
      const others = asSeat(kim, raise, [id, 1, seat, desk]);
      await expect(others).rejects.toMatchObject({ code: '42501' });
    });

    it('handing personal numbers to a user without permission, and changing templates without it', async () => {
      const { seat, desk } = jan.membership;
      const number = [
        `INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
         VALUES ('number', $1, 1, '', 1, $2, $3)`,
      ] as const;
      const writing = asSeat(jan, number[0], [randomUUID(), desk, seat]);
      await expect(writing).rejects.toMatchObject({ code: '42501' });
      const { membership } = anna;
      await asSeat(anna, number[0], [randomUUID(), membership.desk, membership.seat]);
      const template = number[0].replace("'number'", "'template'");
      const changing = asSeat(jan, template, [randomUUID(), desk, seat]);
      await expect(changing).rejects.toMatchObject({ code: '42501' });
      const count = `SELECT count(*)::int AS found FROM shared_item WHERE kind = 'number'`;
      const seen = await Promise.all([asSeat(jan, count), asSeat(anna, count)]);
      expect(seen.map(({ rows }) => rows)).toEqual([[{ found: 0 }], [{ found: 1 }]]);
    });

    it('writing another user’s name, key or presence', async () => {
      const { seat, desk } = jan.membership;
      const changes = await Promise.all([
        asSeat(kim, `UPDATE seat SET sealed = '' WHERE id = $1`, [seat]),
        asSeat(kim, `UPDATE office_key SET wrapped = '' WHERE seat = $1`, [seat]),
        asSeat(kim, `UPDATE desk SET version = '' WHERE id = $1`, [desk]),
      ]);
      expect(changes.map(({ rowCount }) => rowCount)).toEqual([0, 0, 0]);
    });

    it('connections of other roles', async () => {
      await postgres.run(`CREATE ROLE stranger LOGIN PASSWORD 'stranger'`);
      const { host, port } = postgres.address;
      const client = new pg.Client({
        host,
        port,
        database: DATABASE,
        user: 'stranger',
        password: 'stranger',
      });
      await expect(client.connect()).rejects.toMatchObject({ code: '42501' });
    });
  });
});
