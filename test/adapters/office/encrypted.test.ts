import { unmarked } from './office-database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { isOnThisComputer, openOffice } from '../../../electron/adapters/office/server.ts';
import {
  ELSEWHERE,
  type Postgres,
  postgresPrograms,
  startPostgres,
} from '../../support/postgres.ts';
import { selfSigned } from '../../support/self-signed.ts';

const WAIT = 120_000;
const OWNER = { role: 'office_owner', password: 'the owner’s, for this test' };

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['/var/run/postgresql', true],
  ['office.example', false],
  ['127.0.0.1.example', false],
  ['', false],
])('an office at "%s" is local: %s', (host, isHere) => {
  expect(isOnThisComputer(host)).toBe(isHere);
});

describe.skipIf(postgresPrograms === null)('an office on another computer', () => {
  const [right, other] = [selfSigned(ELSEWHERE), selfSigned('127.0.0.3')];
  let encrypted: Postgres;
  let misnamed: Postgres;
  let plain: Postgres;

  beforeAll(async () => {
    encrypted = await startPostgres({ tls: right });
    misnamed = await startPostgres({ tls: other });
    plain = await startPostgres();
    for (const postgres of [encrypted, misnamed, plain]) {
      await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
      await postgres.run(`CREATE DATABASE office OWNER ${OWNER.role}`);
    }
  }, WAIT);
  afterAll(async () => {
    for (const postgres of [encrypted, misnamed, plain]) await postgres.remove();
  });

  const create = ({ address: { port } }: Postgres, trust: string | null, host = ELSEWHERE) =>
    offices.create({
      address: { host, port, database: 'office', trust },
      owner: OWNER,
      name: 'Anna',
      goesOnWithout: false,
    });
  const unproven = {
    failure: {
      code: 'service',
      reason: 'tls',
      message: expect.stringContaining('cannot prove who it is'),
    },
  };
  /** Returns the roles that are connected to the server. */
  const visitors = async ({ run }: Postgres) =>
    (await run(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'seat%'`)).rowCount;

  it('is used once its certificate is trusted, and is shown as encrypted', async () => {
    const { membership, secret } = await create(encrypted, right.cert);
    const office = await offices.open({ membership, secret }, '1.0.0', unmarked);
    const found = (await office.checks()).find(({ check }) => check === 'encrypted');
    await office.close();
    expect(found).toMatchObject({ ok: true, said: expect.stringContaining('encrypted') });
  });

  it('is not used while its certificate is untrusted', async () => {
    await expect(create(encrypted, null)).rejects.toMatchObject(unproven);
    await expect(create(encrypted, other.cert)).rejects.toMatchObject(unproven);
  });

  it('is not used if its certificate is for another address', async () => {
    await expect(create(misnamed, other.cert)).rejects.toMatchObject(unproven);
    expect(await visitors(misnamed)).toBe(0);
  });

  it('is not used without encryption, and receives no password', async () => {
    await expect(create(plain, null)).rejects.toMatchObject(unproven);
    expect(await visitors(plain)).toBe(0);
    const asked: string[] = [];
    const { port } = plain.address;
    const address = { host: ELSEWHERE, port, database: 'office', role: OWNER.role, trust: null };
    const server = openOffice(address, async () => {
      asked.push('password');
      return OWNER.password;
    });
    await expect(server.command('SELECT 1')).rejects.toMatchObject(unproven);
    await server.close();
    expect(asked).toEqual([]);
  });

  it('needs no encryption if its address is this computer', async () => {
    const { membership } = await create(plain, null, '127.0.0.1');
    expect(membership.address.host).toBe('127.0.0.1');
  });
});
