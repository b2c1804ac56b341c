// tier: all
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { queueNote } from '../../support/desks/cli-draft.ts';
import { cliHome, connect, timesMade } from '../../support/desks/cli-home.ts';
import { createComputer } from '../../support/desks/computer.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import type { Home } from '../../support/desks/desk-process.ts';
import { makeNewer } from '../../support/newer-data.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 600_000;
const INVALID = 3;
const IN_PART = 6;
const A_PERSON_DECIDES = 7;
const CONFLICT = 8;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let phrase: string;
let to: string;
let administrator: string;
let note: Buffer;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none', create: createMixedHome }));
  to = path.join(home.folder, 'backups');
  mkdirSync(to);
  note = Buffer.from(await plainPdf('Note', ['A note.']));
  const identity = await generateX25519Identity();
  administrator = path.join(home.folder, 'administrator.txt');
  const recipient = await identityToRecipient(identity);
  await writeFile(administrator, `# public key: ${recipient}\n${identity}\n`);
  phrase = String((await home.value(['backup', 'phrase']))['phrase']);
}, TIMEOUT_MS);
afterAll(() => close());

const recipientOf = (file: string) => /age1[a-z0-9]+/u.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
const made = (ref: string) => timesMade(demo, ref);
const computer = (name: string) => createComputer(home, name);
/** Queues a draft, without sending it; returns the reference of its send. */
const arm = (on: Pick<Home, 'value'>, title: string) => queueNote(on, home.folder, title);

describe('backups on the command line', () => {
  it('are not set up at first, and print the next step', async () => {
    expect(await home.value(['backup', 'status'], '', IN_PART)).toMatchObject({ plan: null });
    const { exit, stderr } = await home.desk(['backup', 'run']);
    expect(exit).toBe(INVALID);
    expect(stderr).toContain('backup setup --to FOLDER');
  });

  it('are set up with the phrase, into an existing folder', async () => {
    const setup = ['backup', 'setup', '--to', to, '--daily', '02:30', '--keep', '2'];
    const wrong = await home.desk(setup, 'twelve words that are none');
    expect([wrong.exit, wrong.stderr]).toEqual([
      INVALID,
      expect.stringContaining('not the twelve words of a recovery phrase'),
    ]);
    const nowhere = ['backup', 'setup', '--to', path.join(home.folder, 'nowhere')];
    expect((await home.desk(nowhere, phrase)).exit).not.toBe(0);
    expect(existsSync(path.join(home.folder, 'nowhere'))).toBe(false);
    expect((await home.desk([...setup, '--administrator', 'ssh-rsa'], phrase)).exit).toBe(INVALID);
    const key = ['--administrator', recipientOf(administrator)];
    const { stderr } = await home.desk([...setup, ...key], phrase);
    expect(stderr).toContain('The signed PDFs are not in the backup');
    expect(stderr).toContain('API keys (tokens and access keys) are not in the backup');
    const when = { kind: 'daily', at: '02:30' };
    const plan = { folder: to, when, keep: 2, withCredentials: false };
    expect(await home.value(['backup', 'status'])).toMatchObject({ plan });
  });

  it('are rescheduled, turned off and on', async () => {
    const changed = await home.value(['backup', 'plan', '--weekly', 'sun@03:00', '--keep', '3']);
    expect(changed).toMatchObject({
      plan: { when: { kind: 'weekly', day: 7, at: '03:00' }, keep: 3, folder: to },
    });
    expect(await home.value(['backup', 'off'])).toMatchObject({ dueAt: null });
    expect(await home.value(['backup', 'on'])).toMatchObject({ dueAt: expect.any(Number) });
    expect((await home.desk(['backup', 'plan', '--weekly', 'someday'])).exit).toBe(2);
    expect(await home.value(['backup', 'plan', '--by-hand'])).toMatchObject({ dueAt: null });
  });

  it('print a page for the phrase, without the phrase on it', async () => {
    const out = path.join(home.folder, 'recovery.pdf');
    await home.value(['backup', 'recovery-page', '--out', out]);
    expect(readFileSync(out).subarray(0, 5).toString()).toBe('%PDF-');
    const again = await home.desk(['backup', 'recovery-page', '--out', out]);
    expect(again.exit).not.toBe(0);
  });

  it('are made, listed, verified with phrase and key, and inspected', async () => {
    await arm(home, 'Looked at');
    const { file } = await home.value(['backup', 'run']);
    const { items } = await home.value(['backup', 'list']);
    expect(items).toMatchObject([{ file, bytes: statSync(String(file)).size }]);
    const counts = { connections: 1, drafts: 1, sends: 1, evidence: 0 };
    const manifest = { counts, withCredentials: false };
    for (const opened of [
      await home.value(['backup', 'check', String(file)], phrase),
      await home.value(['backup', 'check', String(file), '--identity', administrator]),
    ])
      expect(opened).toMatchObject({ manifest });
    const looked = await home.value(['backup', 'inspect', String(file)], phrase);
    const [draft] = looked['drafts'] as { id: string; title: string }[];
    expect(draft?.title).toBe('Looked at');
    const files = path.join(home.folder, 'taken out');
    mkdirSync(files);
    const evidence = path.join(files, 'evidence.json');
    const take = ['--draft', draft?.id ?? '', '--files', files, '--evidence', evidence];
    await home.value(['backup', 'inspect', String(file), ...take], phrase);
    expect(readFileSync(path.join(files, 'note.pdf')).equals(note)).toBe(true);
    expect(JSON.parse(readFileSync(evidence, 'utf8'))).toMatchObject({ entries: [] });
    // A second run fails, because files are never overwritten.
    const again = await home.desk(['backup', 'inspect', String(file), ...take], phrase);
    expect(again.exit).not.toBe(0);
  });

  it('are made by run-due when they are due', async () => {
    await home.value(['backup', 'plan', '--daily', '02:30']);
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY });
    try {
      const { backup } = await home.value(['run-due']);
      expect(backup).toMatchObject({ file: expect.stringContaining(to) });
      expect((await home.value(['run-due']))['backup']).toBeUndefined();
      // If the drive with the backups is missing, the run skips the backup, but does not fail.
      renameSync(to, `${to}.away`);
      vi.setSystemTime(Date.now() + DAY);
      const skipped = { skipped: expect.stringContaining('failed: ENOENT') };
      expect(await home.value(['run-due'])).toMatchObject({ backup: skipped });
      renameSync(`${to}.away`, to);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are kept if they were made after the clock was set back, although others have newer names', async () => {
    await home.value(['backup', 'plan', '--keep', '1']);
    const { file } = await home.value(['backup', 'run']);
    expect(existsSync(String(file))).toBe(true);
    expect((await home.value(['backup', 'list']))['items']).toMatchObject([{ file }]);
    await home.value(['backup', 'plan', '--keep', '3']);
  });
});

describe('a backup that is restored', () => {
  it('is rejected over existing data, and if it is damaged, newer or of another phrase', async () => {
    const { file } = await home.value(['backup', 'run']);
    const restore = (from: string, into: string, input = phrase) =>
      home.desk(['backup', 'restore', from, '--into', into], input);
    const over = await restore(String(file), home.data);
    expect([over.exit, over.stderr]).toEqual([
      CONFLICT,
      expect.stringContaining('already contains data'),
    ]);
    const into = path.join(home.folder, 'refused');
    const other = String((await home.value(['backup', 'phrase']))['phrase']);
    expect((await restore(String(file), into, other)).stderr).toContain('does not open');
    const cut = path.join(home.folder, 'cut.signingdesk');
    await writeFile(cut, readFileSync(String(file)).subarray(0, 200_000));
    expect((await restore(cut, into)).stderr).toContain('damaged or incomplete');
    expect((await restore(administrator, into)).stderr).toContain('not a Signing Desk backup');
    expect(existsSync(path.join(into, 'desk.db'))).toBe(false);
  });

  it('gives the check the exit code of an unusable file if it is damaged (FE-N14)', async () => {
    const { file } = await home.value(['backup', 'run']);
    const whole = readFileSync(String(file));
    const changed = Buffer.from(whole);
    const at = Math.floor(changed.length / 2);
    changed[at] = (changed[at] ?? 0) ^ 1;
    for (const bytes of [whole.subarray(0, 200_000), changed]) {
      const damaged = path.join(home.folder, 'damaged.signingdesk');
      await writeFile(damaged, bytes);
      const checked = await home.desk(['backup', 'check', damaged], phrase);
      expect([checked.exit, checked.stderr]).toEqual([
        INVALID,
        expect.stringMatching(/damaged or incomplete.*use another backup/u),
      ]);
    }
  });

  it('is rejected in one sentence if a newer version of the program wrote its data', async () => {
    const newer = await computer('newer');
    await newer.value(['backup', 'setup', '--to', to], phrase);
    const { file } = await newer.value(['backup', 'run']);
    cpSync(newer.data, `${newer.data}.copy`, { recursive: true });
    await makeNewer({ data: newer.data, keyfile: newer.keyfile });
    const refused = await newer.desk(['backup', 'run']);
    expect(refused.stderr).toContain('newer version');
    // The newer program's older backup can still be checked.
    expect(await newer.value(['backup', 'check', String(file)], phrase)).toHaveProperty('manifest');
  });

  it('replaces data as a first start created it, but never data that a user changed', async () => {
    const { file } = await home.value(['backup', 'run']);
    const fresh = await computer('fresh');
    await fresh.value(['drafts', 'list']);
    const restore = ['backup', 'restore', String(file), '--into', fresh.data];
    await fresh.value(restore, phrase, A_PERSON_DECIDES);
    expect((await fresh.value(['connections', 'list']))['items']).toMatchObject([
      { name: 'Office' },
    ]);
    expect((await fresh.desk(restore, phrase)).exit).toBe(CONFLICT);
  });

  it(
    'sends nothing twice on a second computer while the first is used, with valid evidence on both',
    async () => {
      const a = await computer('a');
      await connect(a, demo);
      const schedule = ['archive', 'schedule', 'add', 'Nightly', '--daily', '02:30', '--to'];
      await a.value([...schedule, path.join(home.folder, 'archive')]);
      const remind = ['reminders', 'rules', 'add', 'Weekly', '--first', '7', '--every', '7'];
      await a.value([...remind, '--hours', '09:00-16:00', '--country', 'SE']);
      const scans = path.join(home.folder, 'scans');
      mkdirSync(scans);
      await a.value(['folders', 'add', 'Scans', '--folder', scans, '--api', 'v1']);
      await a.value(['backup', 'setup', '--to', to, '--credentials', '--daily', '02:30'], phrase);
      const refs = [await arm(a, 'First'), await arm(a, 'Second')];
      const { file, manifest } = await a.value(['backup', 'run']);
      // Computer A sends its queue and a third agreement, and then breaks.
      await a.value(['outbox', 'run']);
      const third = await arm(a, 'Third');
      await a.value(['outbox', 'run']);
      expect([...refs, third].map(made)).toEqual([1, 1, 1]);

      const b = await computer('b');
      const restored = await b.value(
        ['backup', 'restore', String(file), '--into', b.data],
        phrase,
        A_PERSON_DECIDES,
      );
      expect(restored).toMatchObject({ doubtful: 2, pausedRules: 4, withCredentials: true });
      const before = (await b.value(['outbox', 'list']))['items'] as { state: string }[];
      expect(before.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
      // No rule runs on computer B before the user confirms the restore.
      await writeFile(path.join(scans, 'Lease.pdf'), note);
      expect(await b.value(['run-due'])).toMatchObject({ ran: [] });
      expect(await b.value(['backup', 'status'], '', IN_PART)).toMatchObject({ isPaused: true });
      const archives = (await b.value(['archive', 'schedule', 'status'], '', IN_PART))['items'];
      expect(archives).toMatchObject([{ problem: expect.stringMatching(/^paused: .*restored/u) }]);
      await b.value(['folders', 'list'], '', IN_PART);
      await b.value(['reminders', 'rules', 'list'], '', IN_PART);
      // No request is sent to the service before a user has confirmed its address (SR-H2).
      const waiting = await b.value(['backup', 'confirm'], '', A_PERSON_DECIDES);
      expect(waiting).toMatchObject({ waiting: [{ name: 'Office', where: demo.v1Url }] });
      const untouched = await b.desk(['connections', 'test', 'Office']);
      expect(untouched.stderr).toContain('backup confirm');
      expect(await b.value(['backup', 'confirm', 'Office'])).toEqual({ waiting: [] });
      // A sync settles the sends that are in the service's list; nothing is sent again.
      await b.desk(['outbox', 'run']);
      await b.value(['sync']);
      await b.desk(['outbox', 'run']);
      expect([...refs, third].map(made)).toEqual([1, 1, 1]);
      const settled = (await b.value(['outbox', 'list']))['items'] as { state: string }[];
      expect(settled.map(({ state }) => state)).toEqual(['sent', 'sent']);
      // Computer B continues, and makes its own backups next to those of computer A.
      const fourth = await arm(b, 'Fourth');
      await b.value(['outbox', 'run']);
      await b.value(['backup', 'on']);
      await b.value(['backup', 'plan', '--keep', '1']);
      const own = String((await b.value(['backup', 'run']))['file']);
      const desk = (manifest as { readonly desk: string }).desk;
      expect(path.basename(own)).not.toContain(desk);
      expect(existsSync(String(file))).toBe(true);

      // Computer A is used again, and sends a fifth agreement.
      const fifth = await arm(a, 'Fifth');
      await a.value(['outbox', 'run']);
      expect([...refs, third, fourth, fifth].map(made)).toEqual([1, 1, 1, 1, 1]);
      expect(await a.value(['evidence', 'verify'])).toMatchObject({ chain: 'ok', gaps: [] });
      expect(await b.value(['evidence', 'verify'])).toMatchObject({
        chain: 'ok',
        gaps: [{ after: 0, until: null }],
      });
    },
    TIMEOUT_MS,
  );

  it('reads the service once new credentials are entered, if the backup contains none', async () => {
    const { file } = await home.value(['backup', 'run']);
    const c = await computer('c');
    await c.value(['backup', 'restore', String(file), '--into', c.data], phrase, A_PERSON_DECIDES);
    expect((await c.desk(['connections', 'test', 'Office'])).exit).not.toBe(0);
    await c.value(['connections', 'replace-secret', 'Office'], demo.credentials.token);
    await c.value(['connections', 'test', 'Office']);
  });

  it('makes no new backup before a terminal has shown its folder and who can open it (SR-O9)', async () => {
    const key = recipientOf(administrator);
    await home.value(['backup', 'setup', '--to', to, '--administrator', key], phrase);
    const { file } = await home.value(['backup', 'run']);
    const d = await computer('d');
    const restored = await d.desk(['backup', 'restore', String(file), '--into', d.data], phrase);
    expect(restored.stdout).toMatch(new RegExp(`folder of the backups +${to}`, 'u'));
    const run = await d.desk(['backup', 'run']);
    expect(run.exit).toBe(CONFLICT);
    expect(run.stderr).toContain('backup status');
    const { stdout } = await d.desk(['backup', 'status']);
    expect(stdout).toMatch(new RegExp(`opened with +age1[a-z0-9]+ and ${key}`, 'u'));
    expect((await d.desk(['backup', 'on'])).stderr).toContain(`${key} can open them`);
    await d.value(['backup', 'run']);
  });

  it('leaves no plain data in a temporary folder', () => {
    const left = readdirSync(path.join(home.folder, 'b', 'data')).filter((name) =>
      /part|tmp|copy/u.test(name),
    );
    expect(left).toEqual([]);
  });
});
