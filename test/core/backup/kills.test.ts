// tier: all
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { queueNote } from '../../support/desks/cli-draft.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { wasKilled } from '../../support/killed.ts';
import { runLength } from '../../support/run-length.ts';
import type { KillOrder } from './children/killed-step.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = runLength({ whole: HOUR, all: 600_000 });
/** Number of kills per operation, spread over all its steps including the first and the last. */
const MOMENTS = runLength({ whole: 20, all: 3 });
const CONFLICT = 8;
const A_PERSON_DECIDES = 7;

let child: string;
let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let keyfile: string;
let backups: string;
let phrase: string;
/** The first backup, which must stay unchanged. */
let first: string;
let ref: string;

beforeAll(async () => {
  child = await bundleChild('core/backup/children/killed-step.ts');
  ({ demo, home, close } = await cliHome({ seed: 'none' }));
  keyfile = path.join(home.folder, 'desk.key');
  backups = path.join(home.folder, 'backups');
  mkdirSync(backups);
  ref = await queueNote(home, home.folder, 'Waits');
  phrase = String((await home.value(['backup', 'phrase']))['phrase']);
  await home.value(['backup', 'setup', '--to', backups, '--credentials'], phrase);
  first = String((await home.value(['backup', 'run']))['file']);
}, TIMEOUT_MS);
afterAll(() => close());

/** Number of steps of a run without a kill; null if it was killed. */
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
/** Evenly spread steps, including the first and the last. */
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
    'at any step leaves older backups complete, and the next backup succeeds',
    async () => {
      const before = sha256(first);
      /** Backups already found whole, with their content then, so that each is checked once. */
      const whole = new Map<string, string>();
      const steps = (await run({ what: 'backup', data: home.data, killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      for (const killAt of spread(steps)) {
        expect(await run({ what: 'backup', data: home.data, killAt }), `step ${killAt}`).toBeNull();
        expect(sha256(first)).toBe(before);
        for (const [file, sum] of whole) expect(sha256(file)).toBe(sum);
        for (const name of readdirSync(backups).filter((one) => one.endsWith('.signingdesk'))) {
          const file = path.join(backups, name);
          if (whole.has(file)) continue;
          await check(file);
          whole.set(file, sha256(file));
        }
      }
      expect(whole.size).toBeGreaterThan(1);
      await home.value(['backup', 'run']);
      expect(leftovers(backups)).toEqual([]);
      expect(leftovers(home.data)).toEqual([]);
      expect(sha256(first)).toBe(before);
    },
    TIMEOUT_MS,
  );

  it(
    'while it writes its file leaves a partial file, which the next backup removes',
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
    TIMEOUT_MS,
  );
});

describe('a restore that is killed', () => {
  const into = (name: string) => path.join(home.folder, `into-${name}`);
  const restoreOf = (data: string) => ({ what: 'restore', data, file: first, phrase }) as const;
  const at = (data: string, args: readonly string[], exit?: number) =>
    home.value([...args, '--data', data], '', exit);

  /** Expects restored data to be whole, with its waiting rows unknown. */
  async function expectRestored(data: string): Promise<void> {
    const { items } = await at(data, ['outbox', 'list']);
    expect(items).toMatchObject([{ ref, state: 'unknown' }]);
    const verdict = await at(data, ['evidence', 'verify']);
    expect(verdict).toMatchObject({ entries: 1, chain: 'ok', gaps: [{ after: 0 }] });
    expect(await at(data, ['backup', 'status'], 6)).toMatchObject({ isPaused: true });
    expect(existsSync(path.join(data, 'restore.part'))).toBe(false);
  }

  it(
    'at any step leaves no data or complete data, and the next restore completes it',
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
    TIMEOUT_MS,
  );

  it(
    'while the data is unpacked leaves no data',
    async () => {
      const data = into('middle');
      expect(await run({ ...restoreOf(data), killAt: null, killIn: 'unpack' })).toBeNull();
      expect(existsSync(path.join(data, 'desk.db'))).toBe(false);
      await run({ ...restoreOf(data), killAt: null });
      await expectRestored(data);
    },
    TIMEOUT_MS,
  );
});

/** Copies the current desk with one flipped bit in the first page of its data. */
function damagedDesk(name: string) {
  const data = path.join(home.folder, `damaged-${name}`);
  cpSync(home.data, data, { recursive: true });
  const file = path.join(data, 'desk.db');
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
  writeFileSync(file, bytes);
  const asides = () => readdirSync(data).filter((one) => one.startsWith('set-aside-'));
  return { data, file, asides, before: sha256(file), order: { what: 'recover', data } as const };
}

describe('a recovery of a damaged file that is killed', () => {
  const at = (data: string, args: readonly string[], exit?: number) =>
    home.value([...args, '--data', data], '', exit);

  it(
    'at any step leaves the damaged file unchanged in place or set aside, and nothing is sent',
    async () => {
      const undisturbed = damagedDesk('undisturbed');
      const steps = (await run({ ...undisturbed.order, killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      for (const killAt of spread(steps)) {
        const { data, file, asides, before, order } = damagedDesk(String(killAt));
        expect(await run({ ...order, killAt }), `step ${killAt}`).toBeNull();
        if (asides().length === 0) {
          expect(sha256(file), `step ${killAt}`).toBe(before);
          expect(await run({ ...order, killAt: null }), `after ${killAt}`).toBeGreaterThan(0);
        }
        expect(asides()).toHaveLength(1);
        expect(sha256(path.join(data, asides()[0] ?? '', 'desk.db'))).toBe(before);
        expect((await at(data, ['outbox', 'list']))['items']).toMatchObject([
          { ref, state: 'unknown' },
        ]);
        expect(await at(data, ['evidence', 'verify'])).toMatchObject({ chain: 'ok', gaps: [] });
        await home.desk(['outbox', 'run', '--data', data]);
        expect(demo.agreements.v1()).toEqual([]);
        rmSync(data, { recursive: true, force: true });
      }
      rmSync(undisturbed.data, { recursive: true, force: true });
    },
    TIMEOUT_MS,
  );
});

describe('a restore over a damaged file that is killed', () => {
  const at = (data: string, args: readonly string[], exit?: number) =>
    home.value([...args, '--data', data], '', exit);

  it(
    'at any step leaves the damaged file unchanged in place or set aside, and nothing is sent',
    async () => {
      const restoreOf = (data: string) =>
        ({ what: 'restore', data, file: first, phrase, isReplaced: true }) as const;
      const undisturbed = damagedDesk('replaced');
      const steps = (await run({ ...restoreOf(undisturbed.data), killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      rmSync(undisturbed.data, { recursive: true, force: true });
      const before = sha256(first);
      for (const killAt of spread(steps)) {
        const { data, file, asides, before: damaged } = damagedDesk(`replaced-${killAt}`);
        expect(await run({ ...restoreOf(data), killAt }), `step ${killAt}`).toBeNull();
        if (asides().length === 0) {
          expect(sha256(file), `step ${killAt}`).toBe(damaged);
          expect(
            await run({ ...restoreOf(data), killAt: null }),
            `after ${killAt}`,
          ).toBeGreaterThan(0);
        }
        expect(asides()).toHaveLength(1);
        expect(sha256(path.join(data, asides()[0] ?? '', 'desk.db'))).toBe(damaged);
        expect((await at(data, ['outbox', 'list']))['items']).toMatchObject([
          { ref, state: 'unknown' },
        ]);
        expect(await at(data, ['evidence', 'verify'])).toMatchObject({ entries: 1, chain: 'ok' });
        await home.desk(['outbox', 'run', '--data', data]);
        expect(demo.agreements.v1()).toEqual([]);
        expect(sha256(first)).toBe(before);
        rmSync(data, { recursive: true, force: true });
      }
    },
    TIMEOUT_MS,
  );
});

describe('a move to another computer that is killed', () => {
  const at = (data: string, args: readonly string[], exit?: number) =>
    home.value([...args, '--data', data], '', exit);
  const whole = (to: string) => readdirSync(to).filter((name) => name.endsWith('.signingdesk'));

  /** Copies the current desk into its own folder, with an empty folder as its USB stick. */
  function desk(name: string) {
    const data = path.join(home.folder, `move-${name}`);
    const to = path.join(home.folder, `stick-${name}`);
    cpSync(home.data, data, { recursive: true });
    mkdirSync(to);
    const order = { what: 'move', data, to, phrase } as const;
    const remove = () => {
      for (const folder of [data, to]) rmSync(folder, { recursive: true, force: true });
    };
    return { data, to, order, remove };
  }

  /**
   * Returns where the desk moved; null if it is active. `status` exits with code 6 if backups wait
   * for a person, but its output is the same.
   */
  async function deactivationOf(data: string) {
    const { stdout } = await home.desk(['backup', 'status', '--json', '--data', data]);
    const { value } = JSON.parse(stdout) as {
      value: { readonly rest: { readonly to: string; readonly isProven: boolean } | null };
    };
    return value.rest;
  }

  /** Expects a deactivated desk to send nothing and to report where it moved. */
  async function expectRest(data: string, to: string): Promise<void> {
    const { stderr, exit } = await home.desk(['outbox', 'run', '--data', data]);
    expect([exit, stderr]).toEqual([CONFLICT, expect.stringContaining(to)]);
    expect(await at(data, ['outbox', 'show', ref])).toMatchObject({ state: 'queued' });
    expect(demo.agreements.v1()).toEqual([]);
  }

  it(
    'at any step has not started, or leaves a deactivated computer that reports it and can move again',
    async () => {
      const undisturbed = desk('undisturbed');
      const steps = (await run({ ...undisturbed.order, killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      const before = sha256(first);
      let rests = 0;
      for (const killAt of spread(steps)) {
        const { data, to, order, remove } = desk(String(killAt));
        expect(await run({ ...order, killAt }), `step ${killAt}`).toBeNull();
        for (const name of whole(to)) await check(path.join(to, name));
        const rest = await deactivationOf(data);
        if (rest === null) expect(whole(to)).toEqual([]);
        else {
          rests += 1;
          await expectRest(data, to);
          // A backup that the desk calls verified exists.
          if (rest.isProven) expect(whole(to)).toEqual([path.basename(rest.to)]);
        }
        if (rest?.isProven !== true) {
          for (const name of whole(to)) rmSync(path.join(to, name));
          expect(await run({ ...order, killAt: null }), `after ${killAt}`).toBeGreaterThan(0);
        }
        expect(await deactivationOf(data)).toMatchObject({ isProven: true });
        expect(leftovers(to)).toEqual([]);
        expect(leftovers(data)).toEqual([]);
        expect(await at(data, ['evidence', 'verify'])).toMatchObject({ chain: 'ok', gaps: [] });
        expect(sha256(first)).toBe(before);
        remove();
      }
      expect(rests).toBeGreaterThan(0);
      undisturbed.remove();
    },
    TIMEOUT_MS,
  );

  it(
    'while the backup is written leaves a deactivated computer; the next move removes the partial file',
    async () => {
      const { data, to, order, remove } = desk('middle');
      expect(await run({ ...order, killAt: null, killIn: 'pack' })).toBeNull();
      expect(leftovers(to)).toHaveLength(1);
      expect(whole(to)).toEqual([]);
      expect(await deactivationOf(data)).toMatchObject({ isProven: false, to });
      await expectRest(data, to);
      await run({ ...order, killAt: null });
      expect(leftovers(to)).toEqual([]);
      expect(await deactivationOf(data)).toMatchObject({ isProven: true });
      remove();
    },
    TIMEOUT_MS,
  );

  it(
    'while reactivating leaves a deactivated computer, or one whose waiting rows are all unknown',
    async () => {
      const moved = desk('moved');
      await run({ ...moved.order, killAt: null });
      const copyOf = (name: string) => {
        const data = path.join(home.folder, `wake-${name}`);
        cpSync(moved.data, data, { recursive: true });
        return data;
      };
      const steps = (await run({ what: 'wake', data: copyOf('undisturbed'), killAt: null })) ?? 0;
      expect(steps).toBeGreaterThan(20);
      for (const killAt of spread(steps)) {
        const data = copyOf(String(killAt));
        expect(await run({ what: 'wake', data, killAt }), `step ${killAt}`).toBeNull();
        const rest = await deactivationOf(data);
        const { state } = await at(data, ['outbox', 'show', ref]);
        if (rest === null) expect([killAt, state]).toEqual([killAt, 'unknown']);
        else {
          expect((await home.desk(['outbox', 'run', '--data', data])).exit).toBe(CONFLICT);
          await at(data, ['backup', 'wake', '--confirm', '1'], A_PERSON_DECIDES);
          expect(await at(data, ['outbox', 'show', ref])).toMatchObject({ state: 'unknown' });
        }
        await home.desk(['outbox', 'run', '--data', data]);
        expect(demo.agreements.v1()).toEqual([]);
        rmSync(data, { recursive: true, force: true });
      }
      moved.remove();
    },
    TIMEOUT_MS,
  );
});
