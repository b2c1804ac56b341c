import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { createHomeHere, type HomeHere } from '../../support/desks/desk-here.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { wasKilled } from '../../support/killed.ts';
import { writeFile } from 'node:fs/promises';
import type { KillOrder } from './children/killed-step.ts';

const PATIENCE = 600_000;
/** Moments at which each is killed, spread over all of its steps. */
const MOMENTS = 12;

let child: string;
let demo: Demo;
let home: HomeHere;
let keyfile: string;
let backups: string;
let phrase: string;
/** The first backup, which nothing may touch. */
let first: string;
let ref: string;

beforeAll(async () => {
  child = await bundleChild('core/backup/children/killed-step.ts');
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  home = await createHomeHere();
  keyfile = path.join(home.folder, 'desk.key');
  backups = path.join(home.folder, 'backups');
  mkdirSync(backups);
  const add = ['connections', 'add', 'Office', '--api', 'v1', '--url', demo.v1Url];
  await home.value([...add, '--environment', 'test'], demo.credentials.token);
  const [pdf, json] = [path.join(home.folder, 'note.pdf'), path.join(home.folder, 'note.json')];
  await writeFile(pdf, await plainPdf('Note', ['A note.']));
  await writeFile(json, JSON.stringify(bodyV1('Waits')));
  const { id } = await home.value([
    'drafts',
    'add',
    '--api',
    'v1',
    '--from',
    json,
    '--attach',
    pdf,
  ]);
  const send = ['drafts', 'send', String(id), '--connection', 'Office', '--confirm', '1'];
  ref = String((await home.value([...send, '--queue']))['ref']);
  phrase = String((await home.value(['backup', 'phrase']))['phrase']);
  await home.value(['backup', 'setup', '--to', backups, '--credentials'], phrase);
  first = String((await home.value(['backup', 'run']))['file']);
}, PATIENCE);
afterAll(async () => {
  await demo.close();
  await home.remove();
});

/** The steps of an undisturbed run; null when it was killed. */
async function run(order: Omit<KillOrder, 'keyfile'>): Promise<number | null> {
  const whole: KillOrder = { ...order, keyfile };
  const working = spawn(process.execPath, [child, JSON.stringify(whole)], { stdio: 'pipe' });
  working.stdin.end();
  const [output, said, [code, signal]] = await Promise.all([
    text(working.stdout),
    text(working.stderr),
    once(working, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  if (wasKilled(code, signal)) return null;
  expect(said).toBe('');
  return (JSON.parse(output) as { readonly steps: number }).steps;
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
/** So many of the steps, the first and the last among them. */
const spread = (steps: number) => [
  ...new Set(
    Array.from({ length: MOMENTS }, (_, at) => 1 + Math.round(((steps - 1) * at) / (MOMENTS - 1))),
  ),
];
const check = (file: string) => home.value(['backup', 'check', file], phrase);
const leftovers = (folder: string) =>
  readdirSync(folder).filter((name) => /part|copy|tmp/u.test(name));

describe('a backup that is killed', () => {
  it(
    'at any step leaves every older one whole, no half one under its name, and the next is made',
    async () => {
      const before = sha256(first);
      const steps = (await run({ what: 'backup', data: home.data, killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      for (const killAt of spread(steps)) {
        expect(await run({ what: 'backup', data: home.data, killAt }), `step ${killAt}`).toBeNull();
        expect(sha256(first)).toBe(before);
        for (const name of readdirSync(backups).filter((one) => one.endsWith('.signingdesk'))) {
          await check(path.join(backups, name));
        }
      }
      await home.value(['backup', 'run']);
      expect(leftovers(backups)).toEqual([]);
      expect(leftovers(home.data)).toEqual([]);
      expect(sha256(first)).toBe(before);
    },
    PATIENCE,
  );

  it(
    'while it is written leaves a part alone, which the next one clears away',
    async () => {
      const names = () => readdirSync(backups).filter((name) => name.endsWith('.signingdesk'));
      const before = names();
      const order = { what: 'backup', data: home.data, killAt: null, killIn: 'pack' } as const;
      expect(await run(order)).toBeNull();
      expect(names()).toEqual(before);
      expect(leftovers(backups)).toHaveLength(1);
      await home.value(['backup', 'run']);
      expect(leftovers(backups)).toEqual([]);
    },
    PATIENCE,
  );
});

describe('a restore that is killed', () => {
  const into = (name: string) => path.join(home.folder, `into-${name}`);
  const restoreOf = (data: string) => ({ what: 'restore', data, file: first, phrase }) as const;
  const at = (data: string, args: readonly string[], exit?: number) =>
    home.value([...args, '--data', data], '', exit);

  /** What was restored is whole, and doubts what waited. */
  async function expectRestored(data: string): Promise<void> {
    const { items } = await at(data, ['outbox', 'list']);
    expect(items).toMatchObject([{ ref, state: 'unknown' }]);
    const verdict = await at(data, ['evidence', 'verify']);
    expect(verdict).toMatchObject({ entries: 1, chain: 'ok', gaps: [{ after: 0 }] });
    expect(await at(data, ['backup', 'status'], 6)).toMatchObject({ isPaused: true });
    expect(existsSync(path.join(data, 'restore.part'))).toBe(false);
  }

  it(
    'at any step leaves no data or all of it, and the next one ends it',
    async () => {
      const undisturbed = into('undisturbed');
      const steps = (await run({ ...restoreOf(undisturbed), killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      await expectRestored(undisturbed);
      for (const killAt of spread(steps)) {
        const data = into(String(killAt));
        expect(await run({ ...restoreOf(data), killAt }), `step ${killAt}`).toBeNull();
        if (!existsSync(path.join(data, 'desk.db'))) {
          expect(
            await run({ ...restoreOf(data), killAt: null }),
            `after ${killAt}`,
          ).toBeGreaterThan(0);
        } else rmSync(path.join(data, 'restore.part'), { recursive: true, force: true });
        await expectRestored(data);
        rmSync(data, { recursive: true, force: true });
      }
    },
    PATIENCE,
  );

  it(
    'while the data is taken out leaves none of it',
    async () => {
      const data = into('middle');
      expect(await run({ ...restoreOf(data), killAt: null, killIn: 'unpack' })).toBeNull();
      expect(existsSync(path.join(data, 'desk.db'))).toBe(false);
      await run({ ...restoreOf(data), killAt: null });
      await expectRestored(data);
    },
    PATIENCE,
  );
});
