// tier: all
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { offices } from '../../../electron/adapters/office/offices.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { AgreementId, BatchId, IdentityId } from '../../../shared/model/ids.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { operation, unmarked } from './office-database.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const WAIT = 120_000;

/* Attacks by the server's operator, whom no rights limit; listed in `build/decisions/office.md`. */

const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

describe.skipIf(postgresPrograms === null)('a dishonest office server', () => {
  let postgres: Postgres;
  let bo: Member;
  let atAnna: OpenOffice;
  let atBo: OpenOffice;
  let database: string;
  let count = 0;

  const lie = (sql: string) => postgres.run(`SET search_path = signing_desk; ${sql}`, database);
  const open = (member: Member) => offices.open(member, '1.0.0', unmarked);
  const damaged = { failure: { code: 'storage', reason: 'data-damaged' } };

  beforeAll(async () => {
    postgres = await borrowPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
  }, WAIT);
  beforeEach(async () => {
    count += 1;
    database = `office_${String(count)}`;
    await postgres.run(`CREATE DATABASE ${database} OWNER ${OWNER.role}`);
    const { host, port } = postgres.address;
    const address = { host, port, database, trust: null };
    const first = { address, owner: OWNER, name: 'Anna', goesOnWithout: false };
    atAnna = await open(await offices.create(first));
    const order = { owner: OWNER, name: 'Bo', rights: ['send'] as const };
    const { invitation, phrase } = await atAnna.invite(order);
    bo = await offices.join(invitation, phrase);
    atBo = await open(bo);
    return async () => {
      await atAnna.close();
      await atBo.close();
    };
  }, WAIT);
  afterAll(async () => {
    await postgres.remove();
  });

  const claimed = async (key: string) => {
    const one = operation([key]);
    await atAnna.joined.claims.claim([one]);
    return one.id;
  };

  const page = { before: null, seat: null, kind: null };
  /** Asserts that the changed items are reported, and the other items still listed. */
  const expectUnreadable = async (): Promise<void> => {
    const readable = operation(['b readable']);
    await atAnna.joined.claims.claim([readable]);
    const open = await atBo.joined.claims.open();
    const texts = new Map(open.map(({ id, about }) => [id, about]));
    expect(texts.get(readable.id)).toEqual(readable.about);
    expect([...texts.values()].filter((about) => about === null)).not.toEqual([]);
    const { items } = await atBo.activity(page);
    const titles = new Map(items.map(({ id, title }) => [id, title]));
    for (const [id, about] of texts) expect(titles.get(id)).toBe(about?.title ?? null);
  };

  describe('is detected when it', () => {
    it('swaps two sealed texts', async () => {
      await claimed('a');
      await claimed('b');
      await lie(`UPDATE operation o SET sealed = p.sealed FROM operation p WHERE p.id <> o.id`);
      await expectUnreadable();
    });

    it('moves the sealed text of one operation to another', async () => {
      await claimed('a');
      await lie(`INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
        SELECT gen_random_uuid(), kind, desk, seat, state, sealed, key_version FROM operation`);
      await expectUnreadable();
    });

    it('changes a bit of a sealed text', async () => {
      await claimed('a');
      await lie(`UPDATE operation SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)`);
      await expectUnreadable();
    });

    it('labels a sealed text with another key', async () => {
      await claimed('a');
      await lie('UPDATE operation SET key_version = 2');
      await expectUnreadable();
    });

    it('gives one user the name and the public key of another', async () => {
      await lie(`UPDATE seat s SET sealed = t.sealed FROM seat t WHERE t.id <> s.id`);
      const named = await atAnna.seats();
      expect(named.map(({ name }) => name)).toEqual(named.map(({ id }) => `(${id.slice(0, 8)})`));
      const to = { title: 'Lease', note: '', data: Buffer.from(''), to: bo.membership.seat };
      const draft = { id: randomUUID(), kind: 'draft', what: randomUUID(), revision: 1 } as const;
      await expect(atAnna.handovers.give({ ...draft, ...to })).rejects.toMatchObject(damaged);
    });

    it('provides a key that no user created', async () => {
      await lie(`INSERT INTO office_key SELECT 2, seat, wrapped FROM office_key WHERE version = 1`);
      await expect(atBo.visit()).rejects.toMatchObject(damaged);
      await expect(open(bo)).rejects.toMatchObject(damaged);
    });

    it('reverts to an old schema, or one newer than every program', async () => {
      await lie('UPDATE schema_version SET version = version + 1');
      await expect(open(bo)).rejects.toMatchObject({ failure: { code: 'newer-data' } });
      await lie('UPDATE schema_version SET version = 0');
      await expect(open(bo)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    });

    it('gives a user additional rights', async () => {
      await lie(`ALTER ROLE ${bo.membership.address.role} CREATEDB`);
      const found = (await atBo.checks()).find(({ check }) => check === 'role');
      expect(found?.ok).toBe(false);
      await lie(`ALTER ROLE ${bo.membership.address.role} NOCREATEDB`);
    });
  });

  /** Shares an item as Anna. */
  const shared = async (name: string) => {
    const id = randomUUID();
    await atAnna.items.write([
      { kind: 'person', id, version: 1, content: { kind: 'person', name } },
    ]);
    return id;
  };
  /** Disables triggers, which stop users but not the server's operator. */
  const past = 'ALTER TABLE shared_item DISABLE TRIGGER USER;';
  const read = async () => (await atBo.items.changes(['person', 'group'], 0, 10)).items;

  describe('is detected in shared data when it', () => {
    it('swaps two shared items', async () => {
      await shared('a');
      await shared('b');
      await lie(
        `${past} UPDATE shared_item i SET sealed = p.sealed FROM shared_item p WHERE p.id <> i.id`,
      );
      expect((await read()).map(({ isUnreadable }) => isUnreadable)).toEqual([true, true]);
    });

    it('gives an old sealed text a new version, or another kind', async () => {
      await shared('a');
      await lie(`${past} UPDATE shared_item SET version = 2`);
      expect(await read()).toMatchObject([{ isUnreadable: true, content: null }]);
      await lie(`UPDATE shared_item SET version = 1, kind = 'group'`);
      expect(await read()).toMatchObject([{ isUnreadable: true, content: null }]);
    });

    it('swaps or omits chunks of a PDF', async () => {
      const data = Buffer.alloc(2_500_000, 7);
      const template = { kind: 'template', id: randomUUID() } as const;
      const hash = hashOf(data);
      const fileAtBo = () => atBo.files.read(template, hash);
      await atAnna.files.put(template, hash, data);
      expect(Buffer.from(await fileAtBo())).toEqual(data);
      await lie('UPDATE shared_file SET pieces = 2 WHERE place < 2');
      await expect(fileAtBo()).rejects.toMatchObject(damaged);
      await lie('UPDATE shared_file SET pieces = 3; DELETE FROM shared_file WHERE place = 1');
      await expect(fileAtBo()).rejects.toMatchObject(damaged);
    });

    it('attaches the file of one draft to another', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      const data = Buffer.from('%PDF');
      const hash = hashOf(data);
      await atAnna.files.put({ kind: 'draft', id: one }, hash, data);
      await lie(`UPDATE draft_file SET draft = '${other}'`);
      const reading = atAnna.files.read({ kind: 'draft', id: other }, hash);
      await expect(reading).rejects.toMatchObject(damaged);
    });

    it('shows a shared draft to a user who may not see personal numbers', async () => {
      const draft = { kind: 'draft', id: randomUUID(), version: 1 } as const;
      await atAnna.items.write([{ ...draft, content: { title: 'Lease' } }]);
      await atAnna.files.put(draft, 'c'.repeat(64), Buffer.from('%PDF'));
      await lie('UPDATE seat SET may_see_numbers = true');
      for (const reading of [
        atBo.items.changes(['draft'], 0, 10),
        atBo.files.read(draft, 'c'.repeat(64)),
      ]) {
        await expect(reading).rejects.toMatchObject({ failure: { code: 'forbidden' } });
      }
    });

    it('assigns a batch to another computer, or swaps the progress of two', async () => {
      const numbers = { title: 'Leases', rows: 9, sent: 1, refused: 0, unknown: 0, waiting: 8 };
      const rest = { givenUp: 0, stopped: 0, needsPerson: 0, gate: 'open' } as const;
      for (const sent of [1, 2]) {
        const batch = BatchId.parse(randomUUID());
        await atAnna.batches.report(batch, { ...numbers, ...rest, sent });
      }
      expect(await atBo.batches.list()).toMatchObject([{ sent: 2 }, { sent: 1 }]);
      await lie(
        `UPDATE batch_progress b SET sealed = c.sealed FROM batch_progress c WHERE c.batch <> b.batch`,
      );
      // Changed items are reported, and hide no other items.
      const batch = BatchId.parse(randomUUID());
      await atAnna.batches.report(batch, { ...numbers, ...rest });
      const listed = await atBo.batches.list();
      expect(listed.map(({ title, sent }) => [title, sent])).toEqual([
        ['Leases', 1],
        [null, 0],
        [null, 0],
      ]);
    });

    it('shows personal numbers to a user without permission: the user has no key', async () => {
      const number = { kind: 'number', id: randomUUID(), version: 1 } as const;
      await atAnna.items.write([{ ...number, content: { personNumber: '198507099805' } }]);
      await lie('UPDATE seat SET may_see_numbers = true');
      expect((await atBo.items.kinds()).map(({ kind }) => kind)).not.toContain('number');
      const reading = atBo.items.changes(['number'], 0, 10);
      await expect(reading).rejects.toMatchObject({ failure: { code: 'forbidden' } });
      expect((await atAnna.items.changes(['number'], 0, 10)).items).toHaveLength(1);
    });

    it('hands a draft to the wrong user', async () => {
      const order = { id: randomUUID(), kind: 'draft', what: randomUUID(), revision: 1 } as const;
      const text = { title: 'Lease', note: '', data: Buffer.from('a draft') };
      await atAnna.handovers.give({ ...order, ...text, to: bo.membership.seat });
      expect(Buffer.from(await atBo.handovers.read(order.id)).toString()).toBe('a draft');
      await lie("UPDATE handover SET kind = 'batch'");
      await expect(atBo.handovers.read(order.id)).rejects.toMatchObject(damaged);
      await lie("UPDATE handover SET kind = 'draft'");
      await lie('UPDATE handover SET to_seat = from_seat');
      const readable = { ...order, id: randomUUID(), what: randomUUID() };
      await atAnna.handovers.give({ ...readable, ...text, to: bo.membership.seat });
      const listed = await atAnna.handovers.list();
      expect(listed.map(({ id, title }) => [id, title])).toEqual([
        [order.id, null],
        [readable.id, 'Lease'],
      ]);
      await expect(atAnna.handovers.read(order.id)).rejects.toMatchObject(damaged);
    });
  });

  describe('is detected in an approval when it', () => {
    const request = {
      title: 'Lease',
      service: 'https://service.example',
      agreementId: AgreementId.parse('17'),
      review: 1,
      documents: [],
      note: '',
    };
    const person = {
      id: IdentityId.parse(randomUUID()),
      name: 'Bo Lund',
      role: null,
      personNumberMasked: null,
      email: null,
    };
    const decided = async (): Promise<string> => {
      await lie('UPDATE seat SET may_sign = true');
      const id = randomUUID();
      await atAnna.approvals.ask(id, request);
      expect(await atBo.approvals.decide(id, { isApproved: true, person, reason: '' })).toBe(true);
      return id;
    };

    it('names another user as the requester', async () => {
      await atAnna.approvals.ask(randomUUID(), request);
      await lie(`UPDATE approval SET from_seat = '${bo.membership.seat}'`);
      const readable = randomUUID();
      await atAnna.approvals.ask(readable, request);
      const listed = await atBo.approvals.list();
      expect(listed.map((one) => one.request?.title ?? null)).toEqual([null, 'Lease']);
    });

    it('moves the approval to another request', async () => {
      await lie('DELETE FROM approval');
      const whole = await decided();
      const other = randomUUID();
      await atAnna.approvals.ask(other, request);
      await lie(`UPDATE approval SET decided_by = d.decided_by, decided_desk = d.decided_desk,
        decision = d.decision, decision_key = d.decision_key, decided_at = d.decided_at
        FROM approval d WHERE d.decision IS NOT NULL AND approval.id = '${other}'`);
      const listed = await atAnna.approvals.list();
      expect(listed.map(({ id, decision }) => [id, decision?.isApproved ?? null])).toEqual([
        [whole, true],
        [other, null],
      ]);
      expect(listed.at(-1)).toMatchObject({ request: null });
    });
  });

  it('can hide only those tasks and reminders that it changed (DL-D7)', async () => {
    const task = (at: number) =>
      ({ kind: 'archive', key: Buffer.alloc(32, at), title: 'T' }) as const;
    for (const at of [1, 2]) await atAnna.joined.leases.take(task(at), MINUTE);
    const [one, other] = [
      operation(['a'], { kind: 'remind' }),
      operation(['b'], { kind: 'remind' }),
    ];
    await atAnna.joined.claims.claim([one, other]);
    const change = 'SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)';
    await lie(`UPDATE lease ${change} WHERE task = '\\x${'01'.repeat(32)}';
      UPDATE operation ${change} WHERE id = '${one.id}'`);
    const tasks = await atBo.joined.leases.list();
    expect(tasks.map(({ title, seat }) => [title, seat])).toEqual([
      [null, ''],
      ['T', 'Anna'],
    ]);
    expect(await atBo.joined.leases.take(task(1), MINUTE)).toMatchObject({ ok: false });
    const reminded = await atBo.joined.claims.reminded(0, 10);
    expect(new Map(reminded.map(({ id, about }) => [id, about]))).toEqual(
      new Map([
        [one.id, null],
        [other.id, other.about],
      ]),
    );
  });

  it('cannot hide the list of users by changing a user (DL-D7)', async () => {
    await lie(`UPDATE seat SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)
      WHERE id <> '${bo.membership.seat}'`);
    expect([...(await atBo.seatNames())]).toEqual([[bo.membership.seat, 'Bo']]);
  });

  describe('is not detected by these checks when it', () => {
    it('gives a task to two computers', async () => {
      const task = { kind: 'archive', key: Buffer.alloc(32, 9), title: 'Nightly' } as const;
      expect(await atAnna.joined.leases.take(task, MINUTE)).toMatchObject({ ok: true });
      await lie('DELETE FROM lease');
      expect(await atBo.joined.leases.take(task, MINUTE)).toMatchObject({ ok: true });
    });

    it('claims that another computer has a task', async () => {
      const task = { kind: 'archive', key: Buffer.alloc(32, 8), title: 'Nightly' } as const;
      const taken = await atAnna.joined.leases.take(task, MINUTE);
      if (taken.ok) await atAnna.joined.leases.giveBack(taken.lease);
      await lie(`UPDATE lease SET until = now() + interval '1 day'`);
      expect(await atBo.joined.leases.take(task, MINUTE)).toMatchObject({ ok: false });
    });

    it('withholds shared data', async () => {
      await shared('a');
      await lie('DELETE FROM shared_item');
      expect(await read()).toEqual([]);
    });

    it('deletes the recorded end of an evidence log', async () => {
      await atAnna.evidenceEnds.note('0123abcd', { entries: 7, hash: 'f'.repeat(64) });
      expect(await atAnna.evidenceEnds.read(['0123abcd'])).toMatchObject([{ entries: 7 }]);
      await lie('DELETE FROM evidence_end');
      expect(await atAnna.evidenceEnds.read(['0123abcd'])).toEqual([]);
    });

    it('withholds a claim, so that two computers send', async () => {
      await claimed('a');
      await lie('DELETE FROM claim');
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: true }]);
    });

    it('claims that an operation in progress was released', async () => {
      await claimed('a');
      await lie(`UPDATE operation SET state = 'released'`);
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: true }]);
    });

    it('refuses a computer a free claim', async () => {
      const id = await claimed('b');
      const key = `decode('${Buffer.from(operation(['a']).keys[0]?.key ?? []).toString('hex')}', 'hex')`;
      await lie(`INSERT INTO claim VALUES (${key}, 1, '${id}')`);
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: false }]);
    });
  });
});
