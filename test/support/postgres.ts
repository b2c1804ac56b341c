import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../../build/find-postgres.ts';

/** User of the server, which refuses to run as root; Debian's package creates this user. */
const SERVER_USER = 'postgres';
const OWNER = 'postgres';
const LOOK_AGAIN_MS = 50;
const STARTED_WITHIN_MS = 120_000;
const ENDED_WITHIN_MS = 120_000;

/** A local address that the program treats as remote. */
export const ELSEWHERE = '127.0.0.2';

/** Folder of the server programs; null if they are not installed. */
export const postgresPrograms: string | null = findPostgres();

export interface Postgres {
  /** Connection string of the owner. */
  readonly address: { readonly host: string; readonly port: number; readonly user: string };
  /** Runs a statement in a database as its owner, or as another role. */
  run(sql: string, database?: string): Promise<pg.QueryResult>;
  start(): Promise<void>;
  /** Kills the server as a power cut does, without notice to its clients. */
  kill(): Promise<void>;
  /**
   * Stops the server. With `immediate`, it ends its connections, and recovers at the next start.
   */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

interface Order {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly waitsForDisk?: boolean;
  /** Whether the server is removed only when this process ends. */
  readonly endsWithUs?: boolean;
}

/**
 * Starts a real PostgreSQL with its own data on a local port. Roles need passwords; the owner does
 * not. It flushes to the disk only on request: if it is killed, data that the system has is not
 * lost.
 */
export async function startPostgres(order: Order = {}): Promise<Postgres> {
  const { tls, waitsForDisk = false, endsWithUs = false } = order;
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed (postgresql)');
  const programs = postgresPrograms;
  const who = serverUser();
  const base = mkdtempSync(path.join(tmpdir(), 'desk-postgres-'));
  if (who.uid !== undefined) chownSync(base, who.uid, who.gid ?? who.uid);
  const data = path.join(base, 'data');
  execFileSync(
    path.join(programs, 'initdb'),
    [
      ...['--pgdata', data, '--username', OWNER, '--encoding', 'UTF8', '--no-locale', '--no-sync'],
      ...['--auth-local', 'trust', '--auth-host', 'scram-sha-256'],
    ],
    { ...who, cwd: base, stdio: 'ignore' },
  );
  const encryption = tls === undefined ? {} : layCertificate(data, tls, who);
  const port = await freePort();
  let server: ChildProcess | null = null;

  const owner = (database: string) => ({ host: base, port, user: OWNER, database });
  const run: Postgres['run'] = async (sql, database = 'postgres') => {
    const client = new pg.Client(owner(database));
    // A server killed during the query makes the query fail too, so this error is ignored.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    const settings = {
      port: String(port),
      // The program treats the second address as remote.
      listen_addresses: `127.0.0.1,${ELSEWHERE}`,
      unix_socket_directories: base,
      fsync: waitsForDisk ? 'on' : 'off',
      max_connections: '200',
    };
    const options = Object.entries({ ...settings, ...encryption }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    server = spawn(path.join(programs, 'postgres'), ['-D', data, ...options], {
      ...who,
      cwd: base,
      stdio: 'ignore',
    });
    // Do not wait for the server, because it ends with this process.
    if (endsWithUs) server.unref();
    await answering(() => run('SELECT 1'));
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = once(ending, 'exit');
    ending.kill(signal);
    await exit;
  };

  await start();
  if (endsWithUs) endWithUs(base, data);
  return {
    address: { host: '127.0.0.1', port, user: OWNER },
    run,
    start,
    async kill() {
      // The server's processes end one after the other after the first; the next start waits for
      // them.
      await end('SIGKILL');
      await ended(data);
    },
    stop: (how) => end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    async remove() {
      await end('SIGQUIT');
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Empty servers that tests of this process have returned. */
const spare: Postgres[] = [];

/**
 * Returns a real, empty PostgreSQL, whose `remove` leaves it to the next test of this process: a
 * new one takes two seconds of processor time. Only for tests that change no server settings.
 */
export async function borrowPostgres(): Promise<Postgres> {
  const server = spare.pop() ?? (await startPostgres({ endsWithUs: true }));
  return {
    ...server,
    async remove() {
      try {
        await empty(server);
        spare.push(server);
      } catch {
        // The test stopped the server.
        await server.remove();
      }
    },
  };
}

async function empty({ run }: Postgres): Promise<void> {
  const databases = await run(
    `SELECT quote_ident(datname) AS name FROM pg_database WHERE NOT datistemplate AND datname <> '${OWNER}'`,
  );
  for (const { name } of databases.rows) await run(`DROP DATABASE ${name} WITH (FORCE)`);
  const roles = await run(
    `SELECT string_agg(quote_ident(rolname), ', ') AS names FROM pg_roles
     WHERE rolname !~ '^pg_' AND rolname <> '${OWNER}'`,
  );
  const { names } = roles.rows[0];
  if (names !== null) await run(`DROP ROLE ${names}`);
}

/** Stops the server and removes its data after any end of this process. */
function endWithUs(base: string, data: string): void {
  const keeper = spawn(
    'sh',
    [
      '-c',
      `read -r _
      if server=$(head -n 1 "$1/postmaster.pid"); then
        kill -QUIT "$server"
        while kill -0 "$server"; do sleep 0.1; done
      fi
      rm -rf "$0"`,
      ...[base, data],
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  keeper.unref();
  keeper.stdin.on('error', () => undefined);
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
}

/**
 * Writes the certificate and its key; the server accepts only a key that no other user can read.
 */
function layCertificate(
  data: string,
  tls: { readonly key: string; readonly cert: string },
  who: ReturnType<typeof serverUser>,
) {
  const [ssl_key_file, ssl_cert_file] = ['server.key', 'server.crt'];
  for (const [name, text] of [
    [ssl_key_file, tls.key],
    [ssl_cert_file, tls.cert],
  ] as const) {
    const file = path.join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (who.uid !== undefined) chownSync(file, who.uid, who.gid ?? who.uid);
  }
  return { ssl: 'on', ssl_key_file, ssl_cert_file };
}

function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, SERVER_USER], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

async function answering(ask: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + STARTED_WITHIN_MS;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(LOOK_AGAIN_MS);
    }
  }
}

/** Resolves once no process uses this data. */
async function ended(data: string): Promise<void> {
  const worksThere = (process: string): boolean => {
    try {
      return readlinkSync(`/proc/${process}/cwd`) === data;
    } catch {
      // The entry is not a process, or the process has ended.
      return false;
    }
  };
  const until = performance.now() + ENDED_WITHIN_MS;
  while (readdirSync('/proc').some(worksThere)) {
    if (performance.now() > until)
      throw new Error(`A process of PostgreSQL still works in ${data}`);
    await wait(LOOK_AGAIN_MS);
  }
}
