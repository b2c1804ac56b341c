import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BenchRow } from '../../build/bench.ts';
import { openDatabase } from '../../electron/adapters/sqlite/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import { createArchiving } from '../support/archiving.ts';
import { remoteOf } from '../support/fake-service.ts';
import { ids } from '../support/syncing.ts';
import { median } from './median.ts';

export const name =
  'archive: PDFs of a local service, against curl, which checks and flushes nothing';

const PAIRS = 3;
const MEGABYTE = 1024 * 1024;
const SMALL = { files: 2000, bytes: 200 * 1024 };
const LARGE = { files: 200, bytes: 5 * MEGABYTE };
const FAR = { files: 600, bytes: 200 * 1024, latency: 50 };
/** Half of its speed, with hash, checks, flush and rename. */
const SPEED_GOAL = 1 / 0.5;
const FAR_GOAL = 1 / 0.9;
/** Of what the latency allows. */
const IDEAL_GOAL = 1 / 0.8;

interface Load {
  readonly files: number;
  readonly bytes: number;
  readonly latency?: number;
}

/** Against `curl -Z` with as many at once. */
export async function run(): Promise<readonly BenchRow[]> {
  if (spawnSync('curl', ['--version']).status !== 0)
    throw new Error('Install curl to compare with');
  const rows = [
    await against('2,000 PDFs of 200 kB, 8 at once', SMALL, 8, SPEED_GOAL),
    await against('200 PDFs of 5 MB, 8 at once', LARGE, 8, SPEED_GOAL),
    await against('with 50 ms of latency, 32 at once', FAR, 32, FAR_GOAL),
  ];
  const ideal = (FAR.files * FAR.latency) / 16;
  const ours = await serving(FAR, (origin) => archive(origin, FAR, 16));
  return [...rows, { what: 'what 50 ms allow, 16 at once', ours, base: ideal, goal: IDEAL_GOAL }];
}

async function against(
  what: string,
  load: Load,
  parallel: number,
  goal: number,
): Promise<BenchRow> {
  const ours: number[] = [];
  const base: number[] = [];
  await serving(load, async (origin) => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      base.push(curl(origin, load, parallel));
      ours.push(await archive(origin, load, parallel));
    }
  });
  return { what, ours: median(ours), base: median(base), goal };
}

async function serving<Result>(
  { bytes, latency = 0 }: Load,
  work: (origin: string) => Promise<Result>,
): Promise<Result> {
  const script = path.join(import.meta.dirname, 'children/pdf-server.mjs');
  const args = [script, String(bytes), String(latency)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [told] = (await once(child.stdout, 'data')) as [Buffer];
    return await work(`http://127.0.0.1:${told.toString().trim()}`);
  } finally {
    child.kill();
  }
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-bench-'));
  spawnSync('sync');
  const end = (): void => rmSync(folder, { recursive: true, force: true });
  const result = work(folder);
  if (result instanceof Promise) void result.finally(end);
  else end();
  return result;
}

function curl(origin: string, { files }: Load, parallel: number): number {
  return inFolder((folder) => {
    const list = path.join(folder, 'list');
    const out = path.join(folder, 'out');
    mkdirSync(out);
    const lines = Array.from(
      { length: files },
      (_, index) => `url="${origin}/${index}"\noutput="${path.join(out, `${index}.pdf`)}"\n`,
    );
    writeFileSync(list, lines.join(''));
    const started = performance.now();
    const args = ['-sS', '-Z', '--parallel-max', String(parallel), '-K', list];
    const { status, stderr } = spawnSync('curl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - started;
  });
}

async function archive(origin: string, { files }: Load, parallel: number): Promise<number> {
  return inFolder(async (around) => {
    const database = openDatabase({
      file: path.join(around, 'data', 'desk.db'),
      key: new Uint8Array(32).fill(7),
      now: Date.now(),
    });
    const stores = createStores(database);
    const credentials = { token: 'token', accessKey: 'key', accountId: '1' };
    const archiving = createArchiving(stores, {
      v1Url: origin,
      v2Url: `${origin}/v2`,
      credentials,
    });
    const remotes = Array.from({ length: files }, (_, index) =>
      remoteOf({ id: `${index}-${'a'.repeat(8)}`, state: 'signed', closedAt: index }),
    );
    stores.agreements.put(ids.v1, 'v1', remotes, Date.now());
    const folder = path.join(around, 'archive');
    const started = performance.now();
    const { result, failure } = await archiving.run({ folder, parallel });
    const took = performance.now() - started;
    database.close();
    if (failure !== null || result.saved !== files) throw new Error(JSON.stringify(result));
    return took;
  });
}
