import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BenchRow } from '../../build/bench.ts';
import { bundleStale, hosts } from '../../build/bundle/bundle.ts';
import { formPdf } from '../../electron/demo/pdf/form.ts';
import { median } from './median.ts';
import { HOUR, MINUTE } from '../../shared/rules/time/units.ts';

const COUNT = 1000;
const ROUNDS = 3;
const MAIN = path.resolve(import.meta.dirname, '../../dist/electron/cli-main.mjs');

export const name = `intake: ${COUNT.toLocaleString('en')} PDF forms in a folder become drafts`;

/**
 * Compares the whole command, with its start and its second scan after two seconds, with a minute,
 * and with the minimum that stores the same files: each is read, written and flushed, but not
 * hashed.
 */
export async function run(): Promise<readonly BenchRow[]> {
  await bundleStale([hosts]);
  const base = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const [ours, copies]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const folder = path.join(base, `round-${round}`);
      await fill(folder);
      copies.push(await timed(() => copyAll(folder, path.join(base, `copy-${round}`))));
      ours.push(await timed(() => takeAll(base, folder)));
      const left = (await readdir(path.join(folder, 'done'))).length;
      if (left !== COUNT) throw new Error(`Only ${left} were taken`);
    }
    return [
      { what: 'all of them, beside a minute', ours: median(ours), base: MINUTE, goal: 1 },
      { what: 'beside copying, each flushed', ours: median(ours), base: median(copies), goal: 20 },
    ];
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Writes forms that differ in a comment after their end and were last changed some time ago. */
async function fill(folder: string): Promise<void> {
  await mkdir(folder);
  const form = await formPdf('Lease', ['tenant', 'rent', 'day']);
  const when = new Date(Date.now() - HOUR);
  for (let at = 0; at < COUNT; at += 1) {
    const file = path.join(folder, `Lease ${at}.pdf`);
    await writeFile(file, Buffer.concat([form, Buffer.from(`%${at} ${folder}\n`)]));
    await utimes(file, when, when);
  }
}

async function copyAll(folder: string, target: string): Promise<void> {
  await mkdir(target);
  for (const one of await readdir(folder)) {
    const handle = await open(path.join(target, one), 'wx');
    await handle.writeFile(await readFile(path.join(folder, one)));
    await handle.sync();
    await handle.close();
  }
}

async function takeAll(base: string, folder: string): Promise<void> {
  const keyfile = path.join(base, 'key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600, flag: 'wx' }).catch(() => {});
  const env = {
    ...process.env,
    HOME: base,
    XDG_CACHE_HOME: path.join(base, 'cache'),
    XDG_STATE_HOME: path.join(base, 'state'),
    SIGNING_DESK_DATA: path.join(base, 'data'),
    SIGNING_DESK_VAULT: `keyfile:${keyfile}`,
  };
  const args = [MAIN, 'drafts', 'watch', folder, '--once'];
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (exit !== 0) throw new Error(`The command ended with ${String(exit)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
