// tier: all
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { createPresence } from '../../../electron/adapters/sqlite/open/presence.ts';
import { brokenData } from '../../support/broken-data.ts';
import { addNote, sending } from '../../support/desks/cli-draft.ts';
import { cliHome, connect, timesMade } from '../../support/desks/cli-home.ts';
import { createComputer } from '../../support/desks/computer.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

const TIMEOUT_MS = 600_000;
const A_PERSON_DECIDES = 7;
const CONFLICT = 8;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({
    seed: 'none',
    create: createMixedHome,
    connections: {},
  }));
}, TIMEOUT_MS);
afterAll(() => close());

const made = (ref: string) => timesMade(demo, ref);

/** Creates a separate computer with a connection; `draft` adds a draft. */
async function computer(name: string) {
  const own = await createComputer(home, name);
  await connect(own, demo);
  return {
    ...own,
    /** Runs a command in its own process, the only one with another D-Bus session. */
    apart: (args: readonly string[], other: Readonly<Record<string, string>>) =>
      home.apart.with({ ...own.env, ...other }, args),
    /**
     * Adds a draft, and queues it if `send` is true; returns the IDs of the draft and of its send.
     */
    async draft(title: string, send = false) {
      const id = await addNote(own, own.folder, title);
      const order = sending(id);
      const ref = send ? String((await own.value([...order, '--queue']))['ref']) : '';
      return { id, ref, order };
    },
    broken: () => brokenData(own),
  };
}

type Computer = Awaited<ReturnType<typeof computer>>;

describe('a damaged data file', () => {
  it('is reported with its recoverable parts, and nothing is written', async () => {
    const a = await computer('told');
    const { id } = await a.draft('Kept');
    expect(await a.value(['backup', 'recover'])).toMatchObject({ isIntact: true, lost: [] });
    const intact = await a.desk(['backup', 'recover', '--replace']);
    expect([intact.exit, intact.stderr]).toEqual([CONFLICT, expect.stringContaining('intact')]);
    const broken = await a.broken();
    broken.zero(...broken.pagesOf('draft'));
    const before = broken.content();
    const names = readdirSync(a.data);
    const report = await a.value(['backup', 'recover'], '', A_PERSON_DECIDES);
    expect(report).toMatchObject({
      isIntact: false,
      pages: { unreadable: 1 },
      lost: [{ kind: 'drafts', table: 'draft', rows: 1, names: [id] }],
      bareDrafts: 1,
    });
    const { stdout } = await a.desk(['backup', 'recover']);
    expect(stdout).toContain(id);
    expect(stdout).toContain('Nothing was written.');
    expect(broken.content()).toEqual(before);
    expect(readdirSync(a.data)).toEqual(names);
  });

  it('is recovered into another folder with its credentials, and stays unchanged', async () => {
    const a = await computer('elsewhere');
    const { ref } = await a.draft('Waits', true);
    const broken = await a.broken();
    broken.zero(...broken.pagesOf('setting'), ...broken.pagesOf('agreement_by_title'));
    const before = broken.content();
    const into = path.join(a.folder, 'saved');
    const recover = ['backup', 'recover', '--into', into];
    const recovered = await a.value(recover, '', A_PERSON_DECIDES);
    expect(recovered).toMatchObject({ folder: into, doubtful: 1, setAside: null });
    expect(broken.content()).toEqual(before);
    const at = ['--data', into];
    await a.value(['connections', 'test', 'Office', ...at]);
    expect((await a.value(['outbox', 'list', ...at]))['items']).toMatchObject([
      { state: 'unknown' },
    ]);
    expect(await a.value(['evidence', 'verify', ...at])).toMatchObject({ chain: 'ok', gaps: [] });
    await a.desk(['outbox', 'run', ...at]);
    expect(made(ref)).toBe(0);
    // A second run is rejected, because existing data is never overwritten.
    expect((await a.desk(recover)).exit).toBe(CONFLICT);
  });

  it.each<[string, (broken: Awaited<ReturnType<typeof brokenData>>) => void]>([
    ['of which the first page is damaged', (broken) => broken.flip(200)],
    ['of which the end was cut off', (broken) => broken.cut(0.8)],
    ['whose mark of the key is another', (broken) => broken.flip(5)],
  ])('%s is set aside unchanged, and the recovered file replaces it', async (name, damage) => {
    const a = await computer(name.replaceAll(' ', '-'));
    const first = await a.draft('First', true);
    await a.value(['outbox', 'run']);
    expect(made(first.ref)).toBe(1);
    const second = await a.draft('Second', true);
    const broken = await a.broken();
    damage(broken);
    const before = broken.content();
    expect((await a.desk(['drafts', 'list'])).exit).not.toBe(0);
    const recovered = await a.value(['backup', 'recover', '--replace'], '', A_PERSON_DECIDES);
    const aside = String(recovered['setAside']);
    expect(readFileSync(path.join(aside, 'desk.db'))).toEqual(before);
    expect(existsSync(path.join(a.data, 'restore.part'))).toBe(false);
    expect(existsSync(path.join(a.data, 'set-aside.json'))).toBe(false);
    // The recovered data works, and waiting sends first need the user's decision: nothing is sent
    // automatically or twice.
    expect((await a.value(['connections', 'list']))['items']).toMatchObject([{ name: 'Office' }]);
    await a.desk(['outbox', 'run']);
    await a.value(['sync']);
    await a.desk(['outbox', 'run']);
    expect([made(first.ref), made(second.ref)]).toEqual([1, 0]);
  });

  it('sends nothing twice after recovery without its outbox', async () => {
    const a = await computer('outbox');
    const { id, ref, order } = await a.draft('Sent already', true);
    // The request was in flight during a power failure: the service received it, but its answer is
    // lost.
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    await a.desk(['outbox', 'run']);
    expect(made(ref)).toBe(1);
    const broken = await a.broken();
    broken.zero(...broken.pagesOf('outbox'));
    const recovered = await a.value(['backup', 'recover', '--replace'], '', A_PERSON_DECIDES);
    expect(recovered).toMatchObject({ report: { bareSends: 1 }, doubtful: 1 });
    const again = await a.desk(order);
    expect(again.exit).not.toBe(0);
    expect(again.stderr).toMatch(/being sent|locked|sent/u);
    await a.desk(['outbox', 'run']);
    await a.value(['sync']);
    expect(made(ref)).toBe(1);
    expect((await a.value(['outbox', 'list']))['items']).toMatchObject([
      { ref, title: 'Sent already', state: 'sent' },
    ]);
    expect((await a.value(['drafts', 'list']))['items']).not.toMatchObject([{ id }]);
  });

  it('is not touched while another window has it open', async () => {
    const a = await computer('open');
    const broken = await a.broken();
    broken.flip(200);
    const before = broken.content();
    const window = createPresence(path.join(a.data, 'open.lock'));
    expect(window.enter()).toBe(true);
    for (const where of [[], ['--replace'], ['--into', path.join(a.folder, 'saved')]]) {
      const { stderr } = await a.desk(['backup', 'recover', ...where]);
      expect(stderr).toContain('Another window or command');
    }
    window.leave();
    expect(broken.content()).toEqual(before);
    // No other process can open the file while it is being recovered.
    expect(window.enterAlone()).toBe(true);
    expect((await a.desk(['drafts', 'list'])).stderr).toContain('Another window or command');
    window.leave();
    await a.value(['backup', 'recover'], '', A_PERSON_DECIDES);
  });

  it('is replaced by a copy from before an upgrade', async () => {
    const a = await computer('copy');
    await a.draft('Before the upgrade');
    const broken = await a.broken();
    broken.pagesOf('draft');
    const name = `desk.db.before-${Date.UTC(2026, 10, 1)}-1`;
    copyFileSync(broken.file, path.join(a.data, name));
    writeFileSync(broken.file, randomBytes(8192));
    expect((await a.value(['backup', 'copies']))['items']).toMatchObject([{ name }]);
    expect(await a.value(['backup', 'recover', '--copy', name])).toMatchObject({ isIntact: true });
    const unreadable = await a.desk(['backup', 'recover']);
    expect(unreadable.stderr).toContain('No part of the data file can be opened');
    await a.value(['backup', 'recover', '--copy', name, '--replace'], '', A_PERSON_DECIDES);
    expect((await a.value(['drafts', 'list']))['items']).toMatchObject([
      { title: 'Before the upgrade' },
    ]);
    expect(existsSync(path.join(a.data, name))).toBe(true);
  });
});

function protectBy({ data }: Computer, store: 'keychain' | 'passphrase'): void {
  const file = path.join(data, 'vault.json');
  const marker = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...marker, store }));
}

describe('data that cannot be opened', () => {
  const BACKUP = 'backup restore FILE --into FOLDER restores it';
  const KEY = 'If you have a copy of the key';
  const LOCKED = { SIGNING_DESK_VAULT: 'keychain', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };

  const CLOSED: [string, string, (a: Computer) => void | Promise<void>][] = [
    ['its key is another', KEY, ({ keyfile }) => writeFileSync(keyfile, randomBytes(32))],
    ['its key is lost', KEY, ({ data }) => rmSync(path.join(data, 'vault.sealed'))],
    ['its passphrase is forgotten', 'cannot be recovered', (a) => protectBy(a, 'passphrase')],
    [
      'its note of the store is garbage',
      'Name the store or key file',
      ({ data }) => writeFileSync(path.join(data, 'vault.json'), '{'),
    ],
    ['it is damaged', 'backup recover', async (a) => (await a.broken()).flip(200)],
    ['its first page is zeros', 'backup recover', async (a) => (await a.broken()).zero(1)],
  ];

  it.each(CLOSED)(
    'is reported with the ways to restore it, and stays unchanged, if %s',
    async (name, told, damage) => {
      const a = await computer(name.replaceAll(' ', '-'));
      await a.draft('Kept');
      await damage(a);
      const file = path.join(a.data, 'desk.db');
      const before = readFileSync(file);
      const { stderr, exit } = await a.desk(['drafts', 'list']);
      expect(exit).not.toBe(0);
      expect(stderr).toContain(told);
      expect(stderr).toContain(BACKUP);
      expect(readFileSync(file)).toEqual(before);
    },
  );

  it.each(CLOSED)(
    'is set aside unchanged, and only if a person confirms, if %s',
    async (name, told, damage) => {
      const a = await computer(`aside-${name.replaceAll(' ', '-')}`);
      await a.draft('Kept');
      await damage(a);
      const before = readFileSync(path.join(a.data, 'desk.db'));
      const looked = await a.desk(['backup', 'set-aside']);
      expect([looked.exit, looked.stdout]).toEqual([
        A_PERSON_DECIDES,
        expect.stringContaining('Nothing was moved. With --confirm'),
      ]);
      expect(looked.stdout).toContain(told);
      expect(readFileSync(path.join(a.data, 'desk.db'))).toEqual(before);
      const folder = String((await a.value(['backup', 'set-aside', '--confirm']))['folder']);
      expect(path.dirname(folder)).toBe(a.data);
      expect(readFileSync(path.join(folder, 'desk.db'))).toEqual(before);
      expect((await a.value(['drafts', 'list']))['items']).toEqual([]);
      // A second run is rejected: data that can be opened is not set aside.
      const again = await a.desk(['backup', 'set-aside', '--confirm']);
      expect([again.exit, again.stderr]).toEqual([CONFLICT, expect.stringContaining('data opens')]);
    },
  );

  it('is replaced by a backup, and is restored with its key', async () => {
    const a = await computer('comes-back');
    const phrase = String((await a.value(['backup', 'phrase']))['phrase']);
    const to = path.join(a.folder, 'backups');
    mkdirSync(to);
    await a.value(['backup', 'setup', '--to', to], phrase);
    await a.draft('In the backup');
    const file = String((await a.value(['backup', 'run']))['file']);
    await a.draft('After the backup');
    const key = readFileSync(a.keyfile);
    await writeFile(a.keyfile, randomBytes(32));
    const { stdout } = await a.desk(['backup', 'set-aside', '--confirm']);
    const [, folder = ''] = /^The data is unchanged in (.*)\. The program/u.exec(stdout) ?? [];
    expect(stdout).toContain(`backup restore FILE --into ${a.data}`);
    const titles = async () =>
      ((await a.value(['drafts', 'list']))['items'] as { title: string }[]).map(
        ({ title }) => title,
      );
    await a.value(['backup', 'restore', file, '--into', a.data], phrase, A_PERSON_DECIDES);
    expect(await titles()).toEqual(['In the backup']);
    // The key is found again: with it, the data that was set aside opens in its original folder.
    writeFileSync(a.keyfile, key);
    for (const name of readdirSync(a.data)) {
      if (path.join(a.data, name) !== folder) rmSync(path.join(a.data, name), { recursive: true });
    }
    for (const name of readdirSync(folder)) {
      copyFileSync(path.join(folder, name), path.join(a.data, name));
    }
    expect((await titles()).toSorted()).toEqual(['After the backup', 'In the backup']);
  });

  it('is reported to open only in the window if it is protected by a passphrase', async () => {
    const a = await computer('phrase-protected');
    protectBy(a, 'passphrase');
    const { stderr } = await a.apart(['drafts', 'list'], LOCKED);
    expect(stderr).toContain('only the window can open it');
    expect(stderr).not.toContain('unlock the credential store');
  });

  it('is not set aside if it is missing, or could still be opened', async () => {
    const a = await computer('not-aside');
    const setAside = ['backup', 'set-aside', '--confirm'];
    const env = { ...LOCKED, SIGNING_DESK_DATA: path.join(a.folder, 'nowhere') };
    expect((await a.apart(setAside, env)).stderr).toContain('There is no data');
    const before = readdirSync(a.data);
    const window = createPresence(path.join(a.data, 'open.lock'));
    (await a.broken()).flip(200);
    expect(window.enterAlone()).toBe(true);
    expect((await a.desk(setAside)).stderr).toContain('Another window or command');
    window.leave();
    protectBy(a, 'keychain');
    expect((await a.apart(setAside, LOCKED)).stderr).toContain('No credential store is running');
    expect(readdirSync(a.data)).toEqual(before);
  });

  it('is reported with the missing store, and stays unchanged, if its credential store is missing', async () => {
    const a = await computer('locked');
    protectBy(a, 'keychain');
    const file = path.join(a.data, 'desk.db');
    const before = readFileSync(file);
    const { stderr } = await a.apart(['backup', 'recover', '--replace'], LOCKED);
    expect(stderr).toContain('No credential store is running here.');
    expect(readFileSync(file)).toEqual(before);
  });

  it('is not read, and its folder stays unchanged, if it has another key', async () => {
    const a = await computer('another');
    await a.draft('Kept');
    await writeFile(a.keyfile, randomBytes(32));
    const file = path.join(a.data, 'desk.db');
    const before = [readFileSync(file), readdirSync(a.data)];
    const { stderr } = await a.desk(['backup', 'recover', '--replace']);
    expect(stderr).toContain(KEY);
    expect([readFileSync(file), readdirSync(a.data)]).toEqual(before);
  });
});
