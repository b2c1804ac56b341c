// tier: all
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { addNote, queueNote, sending } from '../../support/desks/cli-draft.ts';
import { cliHome, connect, timesMade } from '../../support/desks/cli-home.ts';
import { type Computer, createComputer } from '../../support/desks/computer.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import { DAY, HOUR } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 600_000;
/** Number of agreements: enough for several pages of the service's list. */
const MANY = 600;
const INVALID = 3;
const A_PERSON_DECIDES = 7;
const CONFLICT = 8;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  // The service's clock moves with the clock of the computers.
  const now = () => Date.now();
  const about = { seed: 'none', now, connections: {} } as const;
  ({ demo, home, close } = await cliHome({ ...about, create: createMixedHome }));
}, TIMEOUT_MS);
afterAll(() => close());
afterEach(() => vi.useRealTimers());

const made = (ref: string) => timesMade(demo, ref);
const computer = (name: string) => createComputer(home, name);

/**
 * Creates a computer with a connection, a rule of each kind, and backups; returns also the twelve
 * words and the backup folder.
 */
async function furnished(name: string): Promise<{ on: Computer; phrase: string; to: string }> {
  const on = await computer(name);
  await connect(on, demo);
  const [to, archive, scans] = ['stick', 'archive', 'scans'].map((one) =>
    path.join(on.folder, one),
  );
  for (const folder of [to, scans]) mkdirSync(String(folder));
  const schedule = ['archive', 'schedule', 'add', 'Nightly', '--daily', '02:30', '--to'];
  await on.value([...schedule, String(archive)]);
  const remind = ['reminders', 'rules', 'add', 'Weekly', '--first', '7', '--every', '7'];
  await on.value([...remind, '--hours', '09:00-16:00', '--country', 'SE']);
  await on.value(['folders', 'add', 'Scans', '--folder', String(scans), '--api', 'v1']);
  const phrase = String((await on.value(['backup', 'phrase']))['phrase']);
  await on.value(['backup', 'setup', '--to', String(to), '--daily', '02:30'], phrase);
  return { on, phrase, to: String(to) };
}

const draft = (on: Computer, title: string) => addNote(on, home.folder, title);
/** Queues a draft, without sending it; returns the reference of its send. */
const arm = (on: Computer, title: string) => queueNote(on, home.folder, title);
const stateOf = async (on: Computer, ref: string) =>
  (await on.value(['outbox', 'show', ref]))['state'];

describe('moving to another computer on the command line', () => {
  it('changes nothing if the words are wrong or missing, or the folder is missing', async () => {
    const plain = await computer('plain');
    const none = await plain.desk(['backup', 'move']);
    expect([none.exit, none.stderr]).toEqual([INVALID, expect.stringContaining('backup setup')]);
    const { on, to } = await furnished('asks');
    const other = await on.desk(['backup', 'move'], 'abandon '.repeat(12));
    expect([other.exit, other.stderr]).toEqual([INVALID, expect.stringContaining('phrase')]);
    const { phrase } = await on.value(['backup', 'phrase']);
    const wrong = await on.desk(['backup', 'move'], String(phrase));
    expect(wrong.stderr).toContain('does not open with these twelve words');
    expect(readdirSync(to)).toEqual([]);
    expect(await on.value(['backup', 'status'])).toMatchObject({ rest: null });
    expect((await on.desk(['backup', 'reactivate', '--confirm', '0'])).exit).toBe(CONFLICT);
  });

  it(
    'deactivates the old computer, and each waiting item is sent once from the new one',
    async () => {
      const { on: a, phrase, to } = await furnished('a');
      const sent = await arm(a, 'Sent before');
      await a.value(['outbox', 'run']);
      const refs = [await arm(a, 'First'), await arm(a, 'Second')];
      const later = await draft(a, 'Later');
      const text = await a.desk(['backup', 'move', '--credentials'], phrase);
      expect(text.stdout).toContain('Wrote and verified');
      expect(text.stderr).toContain('API keys (tokens and access keys) are in the backup');
      const [name = ''] = readdirSync(to);
      const file = path.join(to, name);

      // Computer A rejects all work: by hand, and by its scheduler, today and in eight days.
      const where = expect.stringContaining(file);
      const refused = await a.desk(sending(later));
      expect([refused.exit, refused.stderr]).toEqual([CONFLICT, where]);
      expect(refused.stderr).toContain('backup reactivate');
      for (const args of [
        ['outbox', 'run'],
        ['outbox', 'settle', refs[0] ?? '', '--as', 'resend'],
        ['archive', 'run', '--to', path.join(a.folder, 'by hand')],
        ['backup', 'run'],
      ]) {
        expect([args, (await a.desk(args)).exit]).toEqual([args, CONFLICT]);
      }
      const rest = { to: file, isProven: true, waiting: 2 };
      for (const days of [0, 8]) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });
        expect(await a.value(['run-due'])).toMatchObject({ ran: [], rest });
        expect((await a.desk(['run-due', '--only-news'])).stdout).toBe('');
        vi.useRealTimers();
      }
      expect((await a.desk(['backup', 'status'])).stdout).toContain('moved to another computer');
      expect(readdirSync(to)).toEqual([name]);
      expect(existsSync(path.join(a.folder, 'archive'))).toBe(false);
      expect([sent, ...refs].map(made)).toEqual([1, 0, 0]);
      // Computer A may still read from the service.
      await a.value(['sync']);

      const b = await computer('b');
      const back = ['backup', 'restore', file, '--into', b.data];
      const restored = await b.value(back, phrase, A_PERSON_DECIDES);
      expect(restored).toMatchObject({ doubtful: 2, pausedRules: 4, withCredentials: true });
      expect(await b.value(['backup', 'status'], '', 6)).toMatchObject({ rest: null });
      await b.value(['backup', 'confirm', 'Office']);
      await b.value(['connections', 'test', 'Office']);
      // Computer B's unknown outcomes are settled by a sync or by a user's decision.
      expect(await stateOf(b, refs[0] ?? '')).toBe('unknown');
      for (let looks = 0; looks < 4; looks += 1) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });
        await b.desk(['outbox', 'run']);
      }
      for (const ref of refs) {
        expect(await stateOf(b, ref)).toBe('human');
        await b.desk(['outbox', 'settle', ref, '--as', 'resend']);
      }
      await b.desk(['outbox', 'run']);
      expect([sent, ...refs].map(made)).toEqual([1, 1, 1]);
      // Computer A still sends nothing.
      expect((await a.desk(['outbox', 'run'])).exit).toBe(CONFLICT);
      expect([sent, ...refs].map(made)).toEqual([1, 1, 1]);
      const gap = [{ after: 1, until: null }];
      expect(await b.value(['evidence', 'verify'])).toMatchObject({ chain: 'ok', gaps: gap });
      expect(await a.value(['evidence', 'verify'])).toMatchObject({ chain: 'ok', entries: 2 });
      const { items } = await b.value(['evidence', 'list']);
      const kinds = (items as { fact: { kind: string } }[]).map(({ fact }) => fact.kind);
      expect(kinds).toEqual(['restored', 'moving']);

      // The user reactivates computer A: its outcomes are unknown, it finds computer B's sends in
      // the service's list, and sends nothing twice.
      const unseen = await a.desk(['backup', 'reactivate']);
      expect([unseen.exit, unseen.stderr]).toEqual([
        INVALID,
        expect.stringContaining('--confirm 2'),
      ]);
      expect((await a.desk(['backup', 'reactivate', '--confirm', '1'])).exit).toBe(INVALID);
      await a.value(['backup', 'reactivate', '--confirm', '2'], '', A_PERSON_DECIDES);
      expect(await stateOf(a, refs[0] ?? '')).toBe('unknown');
      expect(await a.value(['run-due'])).toEqual({ ran: [] });
      await a.desk(['outbox', 'run']);
      await a.value(['sync']);
      for (const ref of refs) expect(await stateOf(a, ref)).toBe('sent');
      expect([sent, ...refs].map(made)).toEqual([1, 1, 1]);
      expect((await a.desk(['evidence', 'list'])).stdout).toContain('reactivated after a move');
    },
    TIMEOUT_MS,
  );

  it(
    'includes the copies of all agreements, so that the new computer reads only later changes',
    async () => {
      const many = await startDemo({ dataDir: null, seed: MANY, counterpartDelayMs: null });
      const a = await computer('many-a');
      await connect(a, many);
      const v2 = ['connections', 'add', 'Old', '--api', 'v2', '--url', many.v2Url];
      const account = ['--account', many.credentials.accountId, '--org-no', many.company.orgNo];
      await a.value([...v2, ...account, '--environment', 'test'], many.credentials.accessKey);
      const read = async (on: Computer) => {
        const { connections } = await on.value(['sync']);
        return connections as { name: string; requests: number; received: number }[];
      };
      const first = await read(a);
      expect(first.map(({ received }) => received >= MANY)).toEqual([true, true]);
      // A second sync shows how few requests are usual on a computer that has its copies.
      const usual = await read(a);
      const stick = path.join(a.folder, 'stick');
      mkdirSync(stick);
      const phrase = String((await a.value(['backup', 'phrase']))['phrase']);
      await a.value(['backup', 'setup', '--to', stick, '--by-hand'], phrase);
      const { file } = await a.value(['backup', 'move', '--credentials'], phrase);
      const b = await computer('many-b');
      const back = ['backup', 'restore', String(file), '--into', b.data];
      await b.value(back, phrase, A_PERSON_DECIDES);
      await b.value(['backup', 'confirm', 'Office'], '', A_PERSON_DECIDES);
      await b.value(['backup', 'confirm', 'Old']);
      for (const name of ['Office', 'Old']) await b.value(['connections', 'test', name]);
      expect(
        (await read(b)).map(({ name, requests, received }) => ({ name, requests, received })),
      ).toEqual(usual.map(({ name, requests, received }) => ({ name, requests, received })));
      for (const [at, { requests }] of usual.entries()) {
        expect(requests).toBeLessThan((first[at]?.requests ?? 0) / 2);
      }
      const { total } = await b.value(['agreements', 'list', '--limit', '1']);
      expect(total).toBeGreaterThanOrEqual(2 * MANY);
      await many.close();
    },
    TIMEOUT_MS,
  );
});
