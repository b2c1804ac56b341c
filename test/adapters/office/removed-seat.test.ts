// tier: quick, 15 s, because whoever was removed from an office may do nothing there any more
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SeatSecret } from '../../../electron/adapters/office/keyring.ts';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { SCHEMA_VERSION } from '../../../electron/adapters/office/schema.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { operation, unmarked } from './office-database.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const WAIT = 120_000;

describe.skipIf(postgresPrograms === null)('a removed office user', () => {
  let postgres: Postgres;
  let anna: Member;
  let bo: Member;
  let eve: Member;
  let atAnna: OpenOffice;
  let atBo: OpenOffice;
  const clients: pg.Client[] = [];
  /** Suspended server processes. Like busy ones, they do not react to a signal to end. */
  const still: number[] = [];

  const administrator = async (sql: string) =>
    [await postgres.run(`SET search_path = signing_desk; ${sql}`, 'office')].flat().at(-1)?.rows;
  const open = (member: Member) => offices.open(member, '1.0.0', unmarked);
  const joined = async (name: string): Promise<Member> => {
    const { invitation, phrase } = await atAnna.invite({ owner: OWNER, name, rights: [] });
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
  const stand = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    still.push(pid);
  };
  const goOn = (): void => {
    for (const pid of still.splice(0)) process.kill(pid, 'SIGCONT');
  };
  const removedAt = async () =>
    (await administrator(`SELECT removed_at FROM seat WHERE id = '${eve.membership.seat}'`))?.[0]
      ?.removed_at as Date | null;
  const roleOf = async ({ membership }: Member) =>
    (
      await administrator(`SELECT rolcanlogin AS may, rolconnlimit AS most FROM pg_roles
        WHERE rolname = '${membership.address.role}'`)
    )?.[0] as { may: boolean; most: number } | undefined;

  beforeEach(async () => {
    postgres = await borrowPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE office OWNER ${OWNER.role}`);
    const { host, port } = postgres.address;
    const address = { host, port, database: 'office', trust: null };
    anna = await offices.create({ address, owner: OWNER, name: 'Anna', goesOnWithout: false });
    atAnna = await open(anna);
    bo = await joined('Bo');
    atBo = await open(bo);
    eve = await joined('Eve');
    await (await open(eve)).close();
  }, WAIT);
  afterEach(async () => {
    goOn();
    await Promise.all([atAnna.close(), atBo.close(), ...clients.splice(0).map((one) => one.end())]);
    await postgres.remove();
  }, WAIT);

  it('cannot lock the row that the removal writes to, once the user has joined (SR-P11)', async () => {
    const atEve = await connect(eve);
    const { rows } = await atEve.query('SELECT id FROM seat WHERE id = $1 FOR UPDATE', [
      eve.membership.seat,
    ]);
    expect(rows).toEqual([]);
  });

  it('has no rights in an open session that locks the own row, and the role is dropped later (SR-P11)', async () => {
    const { seat } = eve.membership;
    // The user is now like an invited user who has not joined.
    await administrator(`UPDATE seat SET joined_at = NULL WHERE id = '${seat}'`);
    const atEve = await connect(eve);
    await atEve.query('BEGIN');
    const locked = await atEve.query('SELECT id FROM seat WHERE id = $1 FOR UPDATE', [seat]);
    expect(locked.rows).toHaveLength(1);
    await stand(atEve);
    expect(await atAnna.remove(OWNER, seat)).toEqual({ sessions: 1 });
    expect((await atAnna.seats()).map(({ name }) => name)).toEqual(['Anna', 'Bo']);
    await expect(connect(eve)).rejects.toMatchObject({ code: /^28/u });
    expect(SeatSecret.parse(JSON.parse((await atBo.visit()) ?? '')).keys).toHaveLength(2);
    expect(await removedAt()).toBeNull();
    const ended = new Promise((resolve) => atEve.once('end', resolve));
    goOn();
    await ended;
    await atBo.visit();
    expect(await removedAt()).toBeInstanceOf(Date);
    await expect(atAnna.remove(OWNER, seat)).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
  });

  it('has no rights in a new session while another session uses the role, which is dropped later (SR-P11)', async () => {
    const atEve = await connect(eve);
    await atEve.query('BEGIN');
    await atEve.query(`ALTER ROLE CURRENT_USER SET work_mem = '1MB'`);
    await atEve.query(`ALTER ROLE CURRENT_USER PASSWORD 'another'`);
    await stand(atEve);
    expect(await atAnna.remove(OWNER, eve.membership.seat)).toEqual({ sessions: 1 });
    expect(await removedAt()).toBeInstanceOf(Date);
    expect(await roleOf(eve)).toMatchObject({ may: true });
    const again = await connect(eve);
    await expect(again.query('SELECT id FROM signing_desk.seat')).rejects.toMatchObject({
      code: '42501',
    });
    await again.end();
    const ended = new Promise((resolve) => atEve.once('end', resolve));
    goOn();
    await ended;
    await offices.upgrade(anna.membership, OWNER);
    expect(await roleOf(eve)).toBeUndefined();
  });

  it('loses many open sessions together, despite any locks of these sessions (SR-P11)', async () => {
    for (let count = 0; count < 8; count += 1) {
      const one = await connect(eve);
      await one.query('BEGIN');
      await one.query('SELECT pg_advisory_lock_shared(5471902357)');
      await one.query('SELECT id FROM operation FOR UPDATE');
    }
    expect(await atAnna.remove(OWNER, eve.membership.seat)).toEqual({ sessions: 0 });
    expect(await roleOf(eve)).toBeUndefined();
    const content = { name: 'Mine' };
    const id = '7a0c9d0e-0000-4000-8000-000000000009';
    await atAnna.visit();
    expect((await atAnna.items.write([{ kind: 'view', id, version: 1, content }])).size).toBe(1);
    await expect(atAnna.joined.claims.claim([operation(['x'])])).resolves.toMatchObject([
      { ok: true },
    ]);
  });

  it('has at most twelve connections, even if invited before there was a limit (SR-P14)', async () => {
    const { role } = eve.membership.address;
    expect(await roleOf(eve)).toMatchObject({ most: 12 });
    await postgres.run(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    await offices.upgrade(anna.membership, OWNER);
    expect(await roleOf(eve)).toMatchObject({ most: 12 });
    for (let count = 0; count < 12; count += 1) await connect(eve);
    await expect(connect(eve)).rejects.toMatchObject({ code: '53300' });
    await expect(open(eve)).rejects.toMatchObject({ failure: { code: 'offline' } });
    await atBo.visit();
    expect(await atAnna.remove(OWNER, eve.membership.seat)).toEqual({ sessions: 0 });
  });

  it('is removed once the owner gets a connection; until then, the lack of connections is reported (SR-P14)', async () => {
    const { host, port } = postgres.address;
    await postgres.run(`ALTER ROLE ${OWNER.role} CONNECTION LIMIT 1`);
    const { role: user, password } = OWNER;
    const other = new pg.Client({ host, port, database: 'office', user, password });
    other.on('error', () => undefined);
    await other.connect();
    await expect(atAnna.remove(OWNER, eve.membership.seat)).rejects.toMatchObject({
      failure: { code: 'offline', message: expect.stringContaining('has no free connection') },
    });
    const removed = atAnna.remove(OWNER, eve.membership.seat);
    await other.end();
    expect(await removed).toEqual({ sessions: 0 });
  });
});
