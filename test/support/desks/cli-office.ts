import path from 'node:path';
import type { Demo } from '../../../electron/demo/start.ts';
import type { Postgres } from '../postgres.ts';
import { cliHome, connect, type Connecting } from './cli-home.ts';
import { createHomeHere, type HomeHere } from './desk-here.ts';

/** Connection string of the role that owns the office's database, used by its commands. */
export const OWNER_PASSWORD = 'the owner’s, for this test';

const SERVICE: Connecting = { connections: { Service: 'v1' } };

/** Two computers of one office, with a demo service that both have as `Service`. */
interface CliOffice {
  readonly demo: Demo;
  /** The computer that created the office. */
  readonly anna: HomeHere;
  readonly bo: HomeHere;
  /** Stops the service and removes both computers; the database stays. */
  close(): Promise<void>;
}

/**
 * Creates the office in an empty PostgreSQL as its administrator and Anna; `rules` are options of
 * `office create`.
 */
export async function cliOffice(
  postgres: Postgres,
  rules: readonly string[] = [],
): Promise<CliOffice> {
  const { demo, home: anna, close } = await cliHome({ seed: 'none', ...SERVICE });
  const bo = await createOfficeHome(demo);
  const { sql } = await anna.value(['office', 'script']);
  for (const line of String(sql).split('\n')) {
    if (/^(?:CREATE|REVOKE)/u.test(line)) await postgres.run(line);
  }
  await postgres.run(`ALTER ROLE signing_desk_owner PASSWORD '${OWNER_PASSWORD}'`);
  const { host, port } = postgres.address;
  const where = ['--host', host, '--port', String(port), ...rules];
  await anna.value(['office', 'create', ...where, '--name', 'Anna'], OWNER_PASSWORD);
  await takeSeat(anna, bo, 'Bo');
  return {
    demo,
    anna,
    bo,
    async close() {
      await close();
      await bo.remove();
    },
  };
}

/** A home with a connection called `Service`, outside any office. */
export async function createOfficeHome(demo: Demo): Promise<HomeHere> {
  const home = await createHomeHere();
  await connect(home, demo, SERVICE);
  return home;
}

/**
 * Lets the computer of `home` join the office of `office` as the user `name`, with an invitation
 * file.
 */
export async function takeSeat(office: HomeHere, home: HomeHere, name: string): Promise<void> {
  const file = path.join(home.folder, `${name}.age`);
  const { phrase } = await office.value(['office', 'invite', name, '--out', file], OWNER_PASSWORD);
  await home.value(['office', 'join', file], String(phrase));
}
