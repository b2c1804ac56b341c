import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDesk, type Desk, type HostSetup } from '../../../electron/compose/compose.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import type { Api } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { ConnectionId, JobId } from '../../../shared/model/ids.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../fakes/no-host-features.ts';
import { createDeskClock } from '../office/desk.ts';
import { borrowPostgres, type Postgres } from '../postgres.ts';

const OWNER = { role: 'signing_desk_owner', password: 'the owner’s, for this test' };
const DATABASE = 'signing_desk';

/** The program on its own data, as the host opens it. */
export interface HomeDesk {
  readonly desk: Desk;
  readonly api: Api;
  readonly folder: string;
  /** Path of the program's key file. */
  readonly keyfile: string;
  /** Resolves with the result of the job. */
  finish(started: { readonly jobId: JobId }): Promise<Job>;
}

interface DesksOptions {
  /** The shared clock if the test moves it; timers then do not run automatically. */
  readonly now?: () => number;
  /** Returns the port by which computers reach the office; the server's own by default. */
  readonly through?: (postgres: Postgres) => Promise<number>;
}

/** Computers whose office is in its own PostgreSQL. */
export interface OfficeDesks {
  readonly postgres: Postgres;
  /**
   * Creates the office for the first user; others join it by an invitation of the first computer.
   */
  add(name: string, rights?: readonly OfficeUserRight[]): Promise<HomeDesk>;
  /**
   * Simulates loss of the database without a dump: an empty one replaces it, and all computers
   * leave.
   */
  lose(): Promise<void>;
  /** Lets a computer without an office create one, or join the office that exists. */
  enter(home: HomeDesk, name: string, rights?: readonly OfficeUserRight[]): Promise<void>;
  /** Ends the program, restores its data to the copy `copied`, and starts it again. */
  putBack(home: HomeDesk, copied: string): Promise<HomeDesk>;
  /** Ends the program, copies its data, and starts it again. */
  copy(home: HomeDesk): Promise<{ readonly home: HomeDesk; readonly copied: string }>;
  close(): Promise<void>;
}

export async function startOfficeDesks({ now, through }: DesksOptions = {}): Promise<OfficeDesks> {
  const postgres = await borrowPostgres();
  await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
  await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER.role}`);
  const { host } = postgres.address;
  const port = through === undefined ? postgres.address.port : await through(postgres);
  const address = { host, port, database: DATABASE, trust: null };
  const all: HomeDesk[] = [];
  /** Ends the program, changes its data, and starts it again. */
  async function restart(home: HomeDesk, change: (data: string) => Promise<void>) {
    await home.desk.close();
    await change(path.join(home.folder, 'data'));
    const again = await openHome(home.folder, now);
    // Find the computer by its folder: with a connection, it is another object.
    all.splice(
      all.findIndex(({ folder }) => folder === home.folder),
      1,
      again,
    );
    if (founder?.folder === home.folder) founder = again;
    return again;
  }
  let founder: HomeDesk | null = null;
  async function enter(home: HomeDesk, name: string, rights = OfficeUserRight.options) {
    if (founder === null) {
      await home.api['office.create']({ address, owner: OWNER, name, goesOnWithout: false });
      founder = home;
      return;
    }
    const { api, folder } = founder;
    const { out, phrase } = await api['office.invite']({ owner: OWNER, name, rights });
    const fileName = `${randomBytes(4).toString('hex')}.signoffice`;
    await api['files.save']({ out, folder, fileName });
    const invitation = await readFile(path.join(folder, fileName), 'utf8');
    await home.api['office.join']({ invitation, phrase });
  }
  return {
    postgres,
    async add(name, rights = OfficeUserRight.options) {
      const home = await openHome(await newFolder(), now);
      await enter(home, name, [...rights]);
      all.push(home);
      return home;
    },
    enter: (home, name, rights = OfficeUserRight.options) => enter(home, name, [...rights]),
    async lose() {
      await postgres.run(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
      await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER.role}`);
      for (const { api } of all) await api['office.leave']({});
      founder = null;
    },
    putBack: (home, copied) =>
      restart(home, async (data) => {
        await rm(data, { recursive: true, maxRetries: 5 });
        await cp(copied, data, { recursive: true });
      }),
    async copy(home) {
      const copied = path.join(home.folder, `copy-${randomBytes(4).toString('hex')}`);
      const again = await restart(home, (data) => cp(data, copied, { recursive: true }));
      return { home: again, copied };
    },
    async close() {
      for (const { desk, folder } of all) {
        await desk.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
      await postgres.remove();
    },
  };
}

/** A user with its own connection to a service. */
export interface ConnectedDesk extends HomeDesk {
  readonly connectionId: ConnectionId;
}

export async function addConnected(
  office: OfficeDesks,
  { v1Url: url, credentials }: Pick<Demo, 'v1Url' | 'credentials'>,
  name: string,
  rights?: readonly OfficeUserRight[],
): Promise<ConnectedDesk> {
  const home = await office.add(name, rights);
  const about = { name: 'Service', api: 'v1', environment: 'test', accountId: null } as const;
  const order = { ...about, url, secret: credentials.token };
  const { id: connectionId } = await home.api['connections.add'](order);
  return { ...home, connectionId };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-in-office-'));
  await writeFile(path.join(folder, 'key'), randomBytes(32), { mode: 0o600 });
  return folder;
}

async function openHome(folder: string, now: DesksOptions['now']): Promise<HomeDesk> {
  const keyfile = path.join(folder, 'key');
  const order: HostSetup = {
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile },
    interactive: true,
    version: '1.0.0',
    platform: 'linux',
    locale: 'en',
    documentsFolder: folder,
    features: { describe: offersNothing, ...noHostFeatures },
  };
  const desk = createDesk(order, now === undefined ? {} : { clock: createDeskClock(now) });
  await desk.open();
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  const finish = ({ jobId }: { readonly jobId: JobId }): Promise<Job> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        api['jobs.show']({ jobId }).then((job) => {
          if (job.state === 'running') return;
          end();
          resolve(job);
        }, reject);
      };
      const end = on('jobs.changed', look);
      look();
    });
  return { desk, folder, keyfile, api, finish };
}
