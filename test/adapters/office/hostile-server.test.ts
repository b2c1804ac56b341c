import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { offices } from '../../../electron/adapters/office/offices.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../support/postgres.ts';
import { operation } from './office-database.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const WAIT = 120_000;

/** What whoever runs the server can do, past every right of it. The table stands in `build/decisions/office.md`. */
describe.skipIf(postgresPrograms === null)('a server that lies to its office', () => {
  let postgres: Postgres;
  let bo: Member;
  let atAnna: OpenOffice;
  let atBo: OpenOffice;
  let database: string;
  let count = 0;

  const lie = (sql: string) => postgres.run(`SET search_path = signing_desk; ${sql}`, database);
  const open = (member: Member) => offices.open(member, '1.0.0');
  const damaged = { failure: { code: 'storage', reason: 'data-damaged' } };

  beforeAll(async () => {
    postgres = await startPostgres();
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

  describe('is noticed when it', () => {
    it('exchanges two sealed texts', async () => {
      await claimed('a');
      await claimed('b');
      await lie(`UPDATE operation o SET sealed = p.sealed FROM operation p WHERE p.id <> o.id`);
      await expect(atBo.joined.claims.open()).rejects.toMatchObject(damaged);
    });

    it('makes an operation of its own of another one’s text', async () => {
      await claimed('a');
      await lie(`INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
        SELECT gen_random_uuid(), kind, desk, seat, state, sealed, key_version FROM operation`);
      await expect(atBo.joined.claims.open()).rejects.toMatchObject(damaged);
    });

    it('changes a bit of a text', async () => {
      await claimed('a');
      await lie(`UPDATE operation SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)`);
      await expect(atBo.joined.claims.open()).rejects.toMatchObject(damaged);
    });

    it('says that a text is of another key', async () => {
      await claimed('a');
      await lie('UPDATE operation SET key_version = 2');
      await expect(atBo.joined.claims.open()).rejects.toMatchObject(damaged);
    });

    it('gives one seat the name and the public key of another', async () => {
      await lie(`UPDATE seat s SET sealed = t.sealed FROM seat t WHERE t.id <> s.id`);
      await expect(atAnna.seats()).rejects.toMatchObject(damaged);
      const { seat } = bo.membership;
      await expect(atAnna.remove(OWNER, seat)).rejects.toMatchObject(damaged);
    });

    it('hands out a key that no seat made', async () => {
      await lie(`INSERT INTO office_key SELECT 2, seat, wrapped FROM office_key WHERE version = 1`);
      await expect(atBo.visit()).rejects.toMatchObject(damaged);
      await expect(open(bo)).rejects.toMatchObject(damaged);
    });

    it('goes back to a schema that a program of before made, or ahead of every program', async () => {
      await lie('UPDATE schema_version SET version = version + 1');
      await expect(open(bo)).rejects.toMatchObject({ failure: { code: 'newer-data' } });
      await lie('UPDATE schema_version SET version = 0');
      await expect(open(bo)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    });

    it('gives a seat rights beside those of a seat', async () => {
      await lie(`ALTER ROLE ${bo.membership.address.role} CREATEDB`);
      const found = (await atBo.checks()).find(({ check }) => check === 'role');
      expect(found?.ok).toBe(false);
      await lie(`ALTER ROLE ${bo.membership.address.role} NOCREATEDB`);
    });
  });

  describe('is noticed by nothing here when it', () => {
    it('withholds a claim, so that both desks send', async () => {
      await claimed('a');
      await lie('DELETE FROM claim');
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: true }]);
    });

    it('says that what a desk has in hand was released', async () => {
      await claimed('a');
      await lie(`UPDATE operation SET state = 'released'`);
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: true }]);
    });

    it('refuses a desk what nobody has', async () => {
      const id = await claimed('b');
      const key = `decode('${Buffer.from(operation(['a']).keys[0]?.key ?? []).toString('hex')}', 'hex')`;
      await lie(`INSERT INTO claim VALUES (${key}, 1, '${id}')`);
      expect(await atBo.joined.claims.claim([operation(['a'])])).toMatchObject([{ ok: false }]);
    });
  });
});
