import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createClaims } from '../../../electron/adapters/office/claims.ts';
import { createRestoreReports } from '../../../electron/adapters/office/put-backs.ts';
import { createLeases } from '../../../electron/adapters/office/leases.ts';
import { migrate } from '../../../electron/adapters/office/migrate.ts';
import { SCHEMA_VERSION } from '../../../electron/adapters/office/schema.ts';
import { newIdentity, recipientOf } from '../../../electron/adapters/office/keyring.ts';
import { type OfficeKey, sealText } from '../../../electron/adapters/office/seal.ts';
import { grantRights, officeGroupRole } from '../../../electron/adapters/office/rights.ts';
import {
  openOffice,
  type OfficeServer,
  type Transactions,
} from '../../../electron/adapters/office/server.ts';
import type { Statements } from '../../../electron/adapters/office/statements.ts';
import type { ClaimKey, Operation } from '../../../electron/core/office/ports.ts';
import type { OfficeMark } from '../../../electron/core/mark-ports.ts';
import { borrowPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';

const DATABASE = 'office';
const OWNER = 'office_owner';
const PASSWORD = 'only for this test';

/** A computer of the office, and its user. */
export interface TestDesk {
  readonly desk: string;
  readonly seat: string;
}

/** Mark of a computer that has written nothing yet, so that it accepts any state of the office. */
export const unmarked: OfficeMark = {
  read: () => 0,
  reached: () => undefined,
  former: () => [],
  compared: () => undefined,
};

/** Returns the access of a separate process to the office, with the rights of this user. */
export const accessOf = ({ seat }: TestDesk) => ({
  database: DATABASE,
  role: `seat_${seat.slice(0, 8)}`,
  password: PASSWORD,
});

/** An office in its own PostgreSQL. */
export interface OfficeDatabase {
  readonly postgres: Postgres;
  readonly office: string;
  readonly key: OfficeKey;
  /** Returns the normal connection of a computer, the same one for each call. */
  serverOf(desk: TestDesk): OfficeServer;
  /** Opens a new connection, optionally through another port. It is closed with the office. */
  open(desk: TestDesk, over?: { readonly port: number }): OfficeServer;
  connect(desk: TestDesk): Promise<pg.Client>;
  /** Adds a user with all rights, and its computer. */
  addDesk(): Promise<TestDesk>;
  claimsOf(desk: TestDesk, server?: Transactions): ReturnType<typeof createClaims>;
  leasesOf(desk: TestDesk, server?: Transactions): ReturnType<typeof createLeases>;
  putBacksOf(desk: TestDesk): ReturnType<typeof createRestoreReports>;
  /** Expires every lease. With `through`, the computer itself also considers them as expired. */
  expire(through?: { readonly server: Statements; readonly desk: TestDesk }): Promise<void>;
  /** Moves all starts and settlements back by this time. */
  age(interval: string): Promise<void>;
  /** Moves the last change of all claims, or of one, back by this time. */
  rest(interval: string, id?: string): Promise<void>;
  /** Hands the decision about this operation over from one user to another. */
  handOver(id: string, from: TestDesk, to: TestDesk): Promise<void>;
  removeSeat(of: TestDesk): Promise<void>;
  /** Removes all operations, claims and leases. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOffice(
  how: { readonly waitsForDisk?: boolean } = {},
): Promise<OfficeDatabase> {
  const postgres = await (how.waitsForDisk === true ? startPostgres(how) : borrowPostgres());
  await postgres.run(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
  await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  const { host, port } = postgres.address;
  const [office, key] = [randomUUID(), { version: 1, key: randomBytes(32), numbers: null }];
  const run = (sql: string) => postgres.run(`SET search_path = signing_desk; ${sql}`, DATABASE);
  const owner = openOffice(
    { host, port, database: DATABASE, role: OWNER, trust: null },
    async () => PASSWORD,
  );
  await migrate(owner);
  await owner.command(`CREATE ROLE ${officeGroupRole(office)} NOLOGIN`);
  await grantRights(owner, office);
  await owner.close();
  await run(`INSERT INTO office (id, key_version, may_go_without) VALUES ('${office}', 1, true)`);
  const servers: OfficeServer[] = [];
  const open = (desk: TestDesk, over = { port }) => {
    const { password, ...seat } = accessOf(desk);
    const server = openOffice(
      { host, port: over.port, ...seat, trust: null },
      async () => password,
    );
    servers.push(server);
    return server;
  };
  const straight = new Map<string, OfficeServer>();
  const serverOf = (desk: TestDesk) => {
    const server = straight.get(desk.desk) ?? open(desk);
    straight.set(desk.desk, server);
    return server;
  };
  const contextOf = ({ desk, seat }: TestDesk) => ({
    office,
    desk,
    seat,
    newestKey: () => key,
    mark: unmarked,
    keyOf: async () => key,
  });
  return {
    postgres,
    office,
    key,
    serverOf,
    open,
    async connect(desk) {
      const { role: user, password, database } = accessOf(desk);
      const client = new pg.Client({
        host,
        port,
        database,
        user,
        password,
        options: `-c search_path=signing_desk -c signing_desk.schema=${String(SCHEMA_VERSION)}`,
        types: {
          getTypeParser: (type: number) => (type === 20 ? Number : pg.types.getTypeParser(type)),
        },
      });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    async addDesk() {
      const [desk, seat] = [randomUUID(), randomUUID()];
      const { role, password } = accessOf({ desk, seat });
      const about = { name: nameOf(seat), recipient: await recipientOf(await newIdentity()) };
      const of = { office, kind: 'seat', id: seat, version: 1 };
      const sealed = Buffer.from(sealText(key, of, JSON.stringify(about))).toString('hex');
      await run(`
        CREATE ROLE ${role} LOGIN PASSWORD '${password}' IN ROLE ${officeGroupRole(office)};
        INSERT INTO seat (id, role, may_send, may_sign, sealed, key_version)
          VALUES ('${seat}', '${role}', true, true, '\\x${sealed}', 1);
        INSERT INTO desk (id, seat, version) VALUES ('${desk}', '${seat}', '1.0.0')`);
      return { desk, seat };
    },
    claimsOf: (who, through = serverOf(who)) => createClaims(through, contextOf(who)),
    leasesOf: (who, through = serverOf(who)) =>
      createLeases(through, { ...contextOf(who), name: nameOf(who.seat) }),
    putBacksOf: (who) => createRestoreReports(serverOf(who), contextOf(who)),
    async expire(through) {
      const sql = "UPDATE lease SET until = clock_timestamp() - interval '1 second'";
      if (through === undefined) await run(sql);
      else await through.server.command(`${sql} WHERE desk = $1`, [through.desk.desk]);
    },
    age: async (interval) =>
      void (await run(`UPDATE operation SET started_at = started_at - interval '${interval}',
        settled_at = settled_at - interval '${interval}'`)),
    rest: async (interval, id) =>
      void (await run(`
        ALTER TABLE operation DISABLE TRIGGER USER;
        UPDATE operation SET moved_at = clock_timestamp() - interval '${interval}'
          ${id === undefined ? '' : `WHERE id = '${id}'`};
        ALTER TABLE operation ENABLE TRIGGER USER`)),
    handOver: async (id, from, to) =>
      void (await run(`INSERT INTO handover
        (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
        VALUES ('${randomUUID()}', 'question', '${id}', 1, '${from.desk}', '${from.seat}',
          '${to.seat}', '', 1, 1)`)),
    removeSeat: async ({ seat }) =>
      void (await run(`UPDATE seat SET removed_at = clock_timestamp() WHERE id = '${seat}'`)),
    empty: async () => void (await run('TRUNCATE claim, operation, lease')),
    async remove() {
      await Promise.all(servers.map((one) => one.close()));
      await postgres.remove();
    },
  };
}

/** Returns the display name of a test user. */
export const nameOf = (seat: string): string => `Person ${seat.slice(0, 4)}`;

/** Returns a test key: its name, repeated to 32 bytes. */
export const keyNamed = (name: string): Uint8Array => Buffer.alloc(32, name);

export function operation(
  names: readonly string[],
  change: Partial<Operation> & { readonly seen?: ClaimKey['seen'] } = {},
): Operation {
  const { seen = [], ...rest } = change;
  return {
    id: randomUUID(),
    kind: 'send',
    keys: names.map((name) => ({ key: keyNamed(name), seen })),
    about: { title: 'Lease 17', service: 'https://service.example', scan: null },
    ...rest,
  };
}
