// tier: quick, 45 s, because a restored desk may send nothing twice
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { queueNote } from '../../support/desks/cli-draft.ts';
import { cliOffice, createOfficeHome, takeSeat } from '../../support/desks/cli-office.ts';
import { withVariables } from '../../support/desks/computer.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 600_000;
const DATABASE = 'signing_desk';

/**
 * Function that runs a command on the data of a computer, or on a copy of that data; returns the
 * printed value.
 */
type OnDesk = (args: readonly string[], input?: string) => Promise<Record<string, unknown>>;

describe.skipIf(postgresPrograms === null)('computers of an office on the command line', () => {
  let postgres: Postgres;
  let demo: Demo;
  let anna: HomeHere;
  let bo: HomeHere;
  let close: () => Promise<void>;

  beforeAll(async () => {
    postgres = await borrowPostgres();
    ({ demo, anna, bo, close } = await cliOffice(postgres, ['--allow-unchecked']));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await close();
    await postgres.remove();
  });

  const made = (title: string) => demo.agreements.v1().filter((one) => one.title === title).length;

  /**
   * Runs commands on the same computer with the same credentials, but with data in another folder.
   */
  const inFolder = (home: HomeHere, data: string): OnDesk =>
    withVariables(home, { SIGNING_DESK_DATA: data }).value;

  /** Prepares an agreement, which is the same on every computer, and runs the outbox. */
  async function send(home: HomeHere, title: string, ...more: string[]) {
    const ref = await queueNote(home, home.folder, title, { connection: 'Service', more });
    await home.desk(['outbox', 'run']);
    const { state } = await home.value(['outbox', 'show', ref]);
    return { ref, state };
  }

  const inOffice = async (sql: string) => (await postgres.run(sql, DATABASE)).rows;
  const claimOf = async (ref: string): Promise<unknown> =>
    (await inOffice(`SELECT state, desk FROM signing_desk.operation WHERE id = '${ref}'`))[0];
  /** Sets the office's record of a send to that of a send whose answer was lost. */
  const forgetAnswer = (ref: string) =>
    inOffice(`UPDATE signing_desk.operation SET state = 'unknown' WHERE id = '${ref}'`);
  const deskOf = async (on: OnDesk): Promise<string> => {
    const { member } = await on(['office', 'status']);
    return (member as { readonly desk: string }).desk;
  };

  /** Copies the current database; returns a function that restores the copy, as from a dump. */
  async function dump() {
    // All connections are closed, because that of an ended command may still be open.
    await postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`,
    );
    await postgres.run(`CREATE DATABASE kept TEMPLATE ${DATABASE}`);
    return async (): Promise<void> => {
      await postgres.run(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
      await postgres.run(`CREATE DATABASE ${DATABASE} TEMPLATE kept OWNER signing_desk_owner`);
      await postgres.run('DROP DATABASE kept');
    };
  }

  async function addPerson(home: HomeHere, first: string): Promise<void> {
    const file = path.join(home.folder, `${first}.csv`);
    await writeFile(file, `First name;Last name;E-mail\n${first};Ek;${first}@example.com\n`);
    await home.value(['people', 'import', file]);
    await home.value(['office', 'exchange']);
  }
  /** Returns the titles of the people in the address book, without those of sent agreements. */
  const people = async (home: HomeHere) =>
    ((await home.value(['people', 'list']))['items'] as readonly { readonly title: string }[])
      .map(({ title }) => title)
      .filter((title) => title.endsWith(' Ek'));

  it(
    'report to a restored office database all sends and shares since its dump (DL-A10) (DL-B2)',
    async () => {
      for (const home of [anna, bo]) await home.value(['office', 'share', 'address-book']);
      await addPerson(anna, 'Maja');
      await bo.value(['office', 'exchange']);
      const putBack = await dump();
      expect((await send(anna, 'After the dump')).state).toBe('sent');
      await addPerson(anna, 'Nils');
      await bo.value(['office', 'exchange']);
      await bo.value(['people', 'forget', 'Maja Ek', '--confirm', '1']);
      await bo.value(['office', 'exchange']);
      await putBack();

      const held = await send(bo, 'After the dump');
      expect(held.state).toBe('queued');
      const { stdout, exit } = await bo.desk(['office', 'doctor']);
      expect([stdout, exit]).toEqual([expect.stringContaining('restored to its state of'), 6]);
      const said = (await bo.desk(['office', 'status'])).stdout;
      expect(said).toMatch(/Sends wait until these computers have reported/u);
      await anna.value(['sync']);
      expect((await anna.desk(['office', 'doctor'])).exit).toBe(0);
      expect((await bo.desk(['office', 'status'])).stdout).toContain(
        'have reported their later sends',
      );
      await bo.desk(['outbox', 'run']);
      expect(await bo.value(['outbox', 'show', held.ref])).toMatchObject({ state: 'queued' });
      const { items } = await bo.value(['office', 'claims', held.ref]);
      expect(items).toMatchObject([{ seat: 'Anna', state: 'done' }]);
      expect(made('After the dump')).toBe(1);

      for (const home of [anna, bo, anna]) await home.value(['office', 'exchange']);
      expect([await people(anna), await people(bo)]).toEqual([['Nils Ek'], ['Nils Ek']]);
      expect((await send(bo, 'Goes on')).state).toBe('sent');
    },
    TIMEOUT_MS,
  );

  it(
    'let a user send without waiting for a computer that does not return (DL-A10)',
    async () => {
      const putBack = await dump();
      await anna.value(['office', 'exchange']);
      await bo.value(['office', 'exchange']);
      await putBack();
      const { ref, state } = await send(bo, 'Alone');
      expect(state).toBe('queued');
      expect((await bo.desk(['office', 'restored'])).exit).toBe(6);
      const { awaited } = (await bo.value(['office', 'restored'], undefined, 6))['putBack'] as {
        readonly awaited: readonly { readonly seat: string }[];
      };
      await bo.value(['office', 'restored', '--confirm', String(awaited.length)]);
      await bo.desk(['outbox', 'run']);
      expect((await bo.value(['outbox', 'show', ref]))['state']).toBe('sent');
    },
    TIMEOUT_MS,
  );

  it(
    'do not repeat a send that another computer made after the dump while they were off (DL-P1)',
    async () => {
      const putBack = await dump();
      expect((await send(anna, 'While Bo was off')).state).toBe('sent');
      await putBack();
      expect((await send(bo, 'While Bo was off')).state).toBe('queued');
      await anna.value(['office', 'exchange']);
      await bo.desk(['outbox', 'run']);
      expect(made('While Bo was off')).toBe(1);
      expect((await send(bo, 'After both were there')).state).toBe('sent');
    },
    TIMEOUT_MS,
  );

  it(
    'wait for a user who joined after the dump, and notify that user of the lost membership (DL-P2)',
    async () => {
      const cia = await createOfficeHome(demo);
      try {
        const putBack = await dump();
        await takeSeat(anna, cia, 'Cia');
        expect((await send(cia, 'By a new seat')).state).toBe('sent');
        await putBack();

        for (const home of [bo, anna]) await home.value(['office', 'exchange']);
        const { ref, state } = await send(bo, 'By a new seat');
        expect(state).toBe('queued');
        expect((await cia.desk(['office', 'exchange'])).stderr).toMatch(/join.*invitation/iu);

        await cia.value(['office', 'leave', '--confirm']);
        await takeSeat(anna, cia, 'Cia again');
        await cia.value(['office', 'exchange']);
        const list = await bo.desk(['office', 'restored']);
        expect(list.exit).toBe(6);
        await bo.value(['office', 'restored', '--confirm', '1']);
        await bo.desk(['outbox', 'run']);
        const { items } = await bo.value(['office', 'claims', ref]);
        expect(items).toMatchObject([{ seat: 'Cia again', state: 'done' }]);
        expect(made('By a new seat')).toBe(1);
      } finally {
        await cia.remove();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'wait for a user invited after the dump, even if the server lacks that user’s role (DL-S4)',
    async () => {
      const cia = await createOfficeHome(demo);
      try {
        const putBack = await dump();
        await takeSeat(anna, cia, 'Cia');
        expect((await send(cia, 'By a seat that nobody met')).state).toBe('sent');
        const [row] = await inOffice(
          'SELECT role FROM signing_desk.seat ORDER BY invited_at DESC LIMIT 1',
        );
        await putBack();
        await postgres.run(`DROP ROLE ${String(row.role)}`);

        for (const home of [bo, anna]) await home.value(['office', 'exchange']);
        const { ref, state } = await send(bo, 'By a seat that nobody met');
        expect(state).toBe('queued');
        const list = await anna.value(['office', 'restored'], undefined, 6);
        const { awaited } = list['putBack'] as {
          readonly awaited: readonly { readonly seat: string }[];
        };
        expect(awaited.map(({ seat }) => seat)).toContain('Cia');
        await anna.value(['office', 'restored', '--confirm', String(awaited.length)]);
        await bo.desk(['outbox', 'cancel', ref]);
        expect(made('By a seat that nobody met')).toBe(1);
      } finally {
        await cia.remove();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'after a restore, wait for a computer that only one of them knows, and report its send as made twice (DL-P2)',
    async () => {
      const kept = path.join(bo.folder, 'kept');
      await cp(bo.data, kept, { recursive: true });
      const putBack = await dump();
      await bo.value(['office', 'exchange']);
      await rm(bo.data, { recursive: true });
      await cp(kept, bo.data, { recursive: true });
      await bo.value(['office', 'exchange']);
      const { ref } = await send(bo, 'By a newer desk');
      const newer = await deskOf(bo.value);
      await anna.value(['office', 'exchange']);
      await putBack();

      await anna.value(['office', 'exchange']);
      const list = await anna.value(['office', 'restored'], undefined, 6);
      const { awaited } = list['putBack'] as {
        readonly awaited: readonly { readonly desk: string; readonly seat: string }[];
      };
      expect(awaited).toContainEqual(expect.objectContaining({ desk: newer, seat: 'Bo' }));
      await anna.value(['office', 'restored', '--confirm', String(awaited.length)]);
      expect((await send(anna, 'By a newer desk')).state).toBe('sent');
      await bo.value(['office', 'exchange']);
      expect(await bo.value(['outbox', 'show', ref])).toMatchObject({
        state: 'sent',
        reason: { message: 'Another computer in the office has already completed this send' },
      });
    },
    TIMEOUT_MS,
  );

  it.each([
    { by: 'office exchange', args: ['office', 'exchange'] },
    { by: 'outbox run', args: ['outbox', 'run'] },
    { by: 'run-due', args: ['run-due'] },
    { by: 'sync', args: ['sync'] },
  ])(
    'keep a claim after $by in a restored data folder, which becomes another computer (DL-A1) (DL-D1)',
    async ({ by, args }) => {
      const title = `Put back ${by}`;
      const [before, kept] = [await deskOf(anna.value), path.join(anna.folder, 'kept')];
      await cp(anna.data, kept, { recursive: true });
      const { ref } = await send(anna, title);
      await forgetAnswer(ref);
      await rm(anna.data, { recursive: true });
      await cp(kept, anna.data, { recursive: true });
      await rm(kept, { recursive: true });
      await anna.value(args);
      expect(await claimOf(ref)).toEqual({ state: 'unknown', desk: before });
      expect(await deskOf(anna.value)).not.toBe(before);
      expect((await send(bo, title)).state).toBe('queued');
      expect(made(title)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'keep a claim if a copy of the data is opened, which counts as another computer (DL-A1)',
    async () => {
      const copy = path.join(anna.folder, 'copy');
      await cp(anna.data, copy, { recursive: true });
      const own = await deskOf(anna.value);
      const { ref } = await send(anna, 'Beside');
      await inOffice(`UPDATE signing_desk.operation SET state = 'claimed' WHERE id = '${ref}'`);
      await inFolder(anna, copy)(['office', 'exchange']);
      expect(await deskOf(inFolder(anna, copy))).not.toBe(own);
      expect(await claimOf(ref)).toEqual({ state: 'claimed', desk: own });
      expect((await send(bo, 'Beside')).state).toBe('queued');
      expect(made('Beside')).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'treat data restored from a backup by the program as another computer (DL-A1)',
    async () => {
      const [to, into] = [path.join(anna.folder, 'backups'), path.join(anna.folder, 'restored')];
      await mkdir(to);
      const phrase = String((await anna.value(['backup', 'phrase']))['phrase']);
      await anna.value(['backup', 'setup', '--to', to, '--daily', '02:30'], phrase);
      const { file } = await anna.value(['backup', 'run']);
      const own = await deskOf(anna.value);
      const { ref } = await send(anna, 'Restored');
      await forgetAnswer(ref);
      await anna.desk(['backup', 'restore', String(file), '--into', into], phrase);
      await inFolder(anna, into)(['connections', 'list']);
      const rows = await inFolder(anna, into)(['office', 'status']).catch(() => null);
      expect((rows?.['member'] as { desk: string } | undefined)?.desk).not.toBe(own);
      expect(await claimOf(ref)).toEqual({ state: 'unknown', desk: own });
      expect((await send(bo, 'Restored')).state).toBe('queued');
    },
    TIMEOUT_MS,
  );

  it(
    'run no rule of a copied data folder until a user resumes it (DL-D2)',
    async () => {
      const [copy, scans] = [path.join(bo.folder, 'copy'), path.join(bo.folder, 'scans')];
      const [to, saved] = [path.join(bo.folder, 'backups'), path.join(bo.folder, 'saved')];
      for (const folder of [scans, to, saved]) await mkdir(folder);
      await bo.value(['folders', 'add', 'Scans', '--folder', scans, '--api', 'v1']);
      const schedule = ['archive', 'schedule', 'add', 'Now', '--on-completion', '--to', saved];
      await bo.value(schedule);
      const remind = ['reminders', 'rules', 'add', 'Weekly', '--first', '7', '--every', '7'];
      await bo.value(remind);
      const phrase = String((await bo.value(['backup', 'phrase']))['phrase']);
      await bo.value(['backup', 'setup', '--to', to, '--daily', '02:30'], phrase);
      await cp(bo.data, copy, { recursive: true });
      await writeFile(path.join(scans, 'a.pdf'), await plainPdf('Scan', ['A scan.']));
      const on = inFolder(bo, copy);
      await on(['run-due']);
      expect(await readdir(scans)).toContain('a.pdf');
      const lists = [
        ['folders', 'list'],
        ['archive', 'schedule', 'status'],
        ['reminders', 'rules', 'list'],
      ];
      for (const args of [...lists, ['backup', 'status'], ['privacy', 'show']]) {
        const { stdout } = await bo.with({ SIGNING_DESK_DATA: copy }, args);
        expect(stdout, args.join(' ')).toMatch(/paused/iu);
      }
      expect(await on(['privacy', 'resume'])).toEqual({ resumed: true });
      expect(await on(['privacy', 'resume'])).toEqual({ resumed: false });
    },
    TIMEOUT_MS,
  );

  it(
    'report a send made without the office with the next command that reaches the office (FE-N1)',
    async () => {
      await postgres.stop('fast');
      let ref = '';
      try {
        ref = (await send(anna, 'Without')).ref;
        await anna.value(['office', 'send-unchecked', ref]);
        await anna.desk(['outbox', 'run']);
        expect(made('Without')).toBe(1);
      } finally {
        await postgres.start();
      }
      await anna.value(['sync']);
      expect(await claimOf(ref)).toMatchObject({ state: 'done' });
      // Bo's data was restored earlier, so the service is read before a send, and its list shows
      // the agreement.
      await expect(send(bo, 'Without')).rejects.toThrow('The same agreement was already sent');
      expect((await send(bo, 'Without', '--again')).state).toBe('queued');
      expect(made('Without')).toBe(1);
    },
    TIMEOUT_MS,
  );
});
