import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createClaims } from '../../../electron/adapters/office/claims.ts';
import { createLeases } from '../../../electron/adapters/office/leases.ts';
import { migrate } from '../../../electron/adapters/office/migrate.ts';
import type { OfficeKey } from '../../../electron/adapters/office/seal.ts';
import {
  openOffice,
  type OfficeServer,
  type Statements,
} from '../../../electron/adapters/office/server.ts';
import type { Operation } from '../../../electron/core/office/ports.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';

const DATABASE = 'office';
const ROLE = 'office_owner';
const PASSWORD = 'only for this test';

/** A desk of the office, and who sits at it. */
export interface TestDesk {
  readonly desk: string;
  readonly seat: string;
}

/** An office in a PostgreSQL of its own. */
export interface OfficeDatabase {
  readonly postgres: Postgres;
  readonly office: string;
  readonly key: OfficeKey;
  /** As the program opens it; closed with the office. */
  readonly server: OfficeServer;
  open(): OfficeServer;
  connect(): Promise<pg.Client>;
  addDesk(): Promise<TestDesk>;
  claimsOf(desk: TestDesk, server?: OfficeServer): ReturnType<typeof createClaims>;
  leasesOf(desk: TestDesk, server?: OfficeServer): ReturnType<typeof createLeases>;
  /** Every lease has run out by now. */
  expire(through?: Statements): Promise<void>;
  /** All that was settled was settled so much earlier. */
  age(interval: string): Promise<void>;
  /** All operations, claims, leases and activities go. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOffice(): Promise<OfficeDatabase> {
  const postgres = await startPostgres();
  await postgres.run(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
  await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  const { host, port } = postgres.address;
  const servers: OfficeServer[] = [];
  const open = () => {
    const address = { host, port, database: DATABASE, role: ROLE, trust: null };
    const server = openOffice(address, async () => PASSWORD);
    servers.push(server);
    return server;
  };
  const server = open();
  await migrate(server);
  const [office, key] = [randomUUID(), { version: 1, key: randomBytes(32) }];
  const run = (sql: string) => postgres.run(`SET search_path = signing_desk; ${sql}`, DATABASE);
  await run(`INSERT INTO office (id, key_version, may_go_without) VALUES ('${office}', 1, true)`);
  const contextOf = ({ desk, seat }: TestDesk) => ({
    ...{ office, desk, seat },
    newestKey: () => key,
    keyOf: async () => key,
  });
  return {
    postgres,
    office,
    key,
    server,
    open,
    async connect() {
      const client = new pg.Client({
        ...{ host, port, database: DATABASE, user: ROLE, password: PASSWORD },
        options: '-c search_path=signing_desk',
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
      await run(`
        INSERT INTO seat (id, role, sealed, key_version)
          VALUES ('${seat}', 'role_${seat.slice(0, 8)}', '', 1);
        INSERT INTO desk (id, seat, version) VALUES ('${desk}', '${seat}', '1.0.0')`);
      return { desk, seat };
    },
    claimsOf: (who, through = server) => createClaims(through, contextOf(who)),
    leasesOf: ({ desk, seat }, through = server) =>
      createLeases(through, { ...contextOf({ desk, seat }), name: nameOf(seat) }),
    expire: ({ command } = server) =>
      command("UPDATE lease SET until = clock_timestamp() - interval '1 second'"),
    age: async (interval) =>
      void (await run(`UPDATE operation SET settled_at = settled_at - interval '${interval}'`)),
    empty: async () => void (await run('TRUNCATE claim, operation, lease, activity')),
    async remove() {
      await Promise.all(servers.map((one) => one.close()));
      await postgres.remove();
    },
  };
}

/** What people call a seat of a test. */
export const nameOf = (seat: string): string => `Person ${seat.slice(0, 4)}`;

/** Keys of tests are their names. */
export const keyNamed = (name: string): Uint8Array => Buffer.alloc(32, name);

export function operation(
  names: readonly string[],
  change: Partial<Operation> & { readonly seen?: number | null } = {},
): Operation {
  const { seen = null, ...rest } = change;
  return {
    id: randomUUID(),
    kind: 'send',
    keys: names.map((name) => ({ key: keyNamed(name), seen })),
    about: { title: 'Lease 17', service: 'https://service.example', scan: null },
    ...rest,
  };
}
