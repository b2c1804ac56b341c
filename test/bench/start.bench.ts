import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BenchRow } from '../../build/bench.ts';
import { createDesk } from '../../electron/compose/compose.ts';
import { startDemo } from '../../electron/demo/start.ts';
import { createHostFeatures } from '../../electron/hosts/chromium/features.ts';
import { connectDirectly } from '../../shared/wire.ts';
import { median } from './median.ts';

export const name = 'start: from spawn to a drawn list of 10,000 cached agreements';

const PAIRS = 7;
/** Number of agreements of each API; the list shows those of both. */
const AGREEMENTS = 5_000;
const GOAL = 1.5;

/**
 * Measures pairs of runs in turn, after one of each that is not measured, and compares the medians.
 */
export async function run(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  const demo = await startDemo({ dataDir: null, seed: AGREEMENTS, counterpartDelayMs: null });
  try {
    const dataDir = path.join(folder, 'data');
    await fill(dataDir, demo);
    const ours: number[] = [];
    const base: number[] = [];
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const desk = await untilReady('desk-window.ts', dataDir);
      const empty = await untilReady('empty-page.ts');
      if (pair === 0) continue;
      ours.push(desk);
      base.push(empty);
    }
    const what = 'Chromium host / the same browser with an empty page';
    return [{ what, ours: median(ours), base: median(base), goal: GOAL }];
  } finally {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads all agreements of the service into the data folder, like the first check of a user. */
async function fill(dataDir: string, demo: Awaited<ReturnType<typeof startDemo>>): Promise<void> {
  const keyfile = `${dataDir}.key`;
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const desk = createDesk({
    dataDir,
    stateDir: `${dataDir}.state`,
    vault: { keyfile },
    version: '0.0.0-bench',
    locale: 'en-GB',
    platform: 'linux',
    documentsFolder: dataDir,
    features: createHostFeatures(),
    interactive: false,
  });
  await desk.open();
  const { api } = connectDirectly(desk.handlers, desk.toFailure);
  const { token, accessKey, accountId } = demo.credentials;
  const test = { environment: 'test' } as const;
  const v1 = { ...test, name: 'v1', api: 'v1', url: demo.v1Url, accountId: null, secret: token };
  const v2 = { ...test, name: 'v2', api: 'v2', url: demo.v2Url, accountId, secret: accessKey };
  await api['connections.add']({ ...v1, api: 'v1' });
  await api['connections.add']({ ...v2, api: 'v2' });
  const { jobId } = await api['agreements.sync']({});
  while ((await api['jobs.show']({ jobId })).state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { total } = await api['agreements.list']({});
  if (total < 2 * AGREEMENTS) throw new Error(`Only ${String(total)} agreements were read`);
  await desk.close();
}

/** Time from the start of a process until it prints `ready` (ms). */
async function untilReady(script: string, ...args: readonly string[]): Promise<number> {
  const file = path.join(import.meta.dirname, 'children', script);
  const start = performance.now();
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now() - start));
    child.once('error', reject);
    void ended.then((code) => reject(new Error(`${script} ended with ${String(code)}`)));
  });
  await ended;
  return ready;
}
