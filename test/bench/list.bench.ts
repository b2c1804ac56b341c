import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import type { BenchRow } from '../../build/bench.ts';
import { cacheAgreements } from '../app/support/cached-agreements.ts';
import { startDeskApp } from '../app/support/desk.ts';
import { median } from './median.ts';
import { IS_MILLION } from './million.ts';
import { firstWords, startChild } from './child-process.ts';

const MANY = IS_MILLION ? 1_000_000 : 100_000;

export const name = `list: the Agreements screen with ${MANY.toLocaleString('en')} cached rows beside 100`;

const FEW = 100;
/** Number of measured pairs, after one run of each that is not measured. */
const PAIRS = 5;
const GOAL_FIRST_ROWS = 1.5;
/**
 * Maximum time of a frame (ms): two frames of a screen that draws sixty a second. Users notice
 * longer ones.
 */
const MAX_FRAME = 33;
const MAX_ROWS = 60;
/** Goal for the memory of a longer list, which has windows of rows around the visible ones. */
const GOAL_HEAP = 1.5;

/** Maximum memory (MB), without the browser's own processes. */
const MAX_MEMORY = 600;

const SCROLLED = 90;
const JUMPS = 30;

interface Run {
  /** Time from the page's start to the first rows on the screen (ms). */
  readonly firstRows: number;
  readonly frames: readonly number[];
  readonly rows: number;
  /** Memory of the page's scripts after garbage collection (bytes). */
  readonly heap: number;
}

export async function run(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const many = path.join(folder, 'many');
    const few = path.join(folder, 'few');
    await cacheAgreements(many, MANY);
    await cacheAgreements(few, FEW);
    const ours: Run[] = [];
    const base: Run[] = [];
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const [long, short] = [await measure(many), await measure(few)];
      if (pair === 0) continue;
      ours.push(long);
      base.push(short);
    }
    return [...rowsOf(ours, base), await hostMemory(many)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Memory of the host and its threads after the list was searched and scrolled through. */
async function hostMemory(dataDir: string): Promise<BenchRow> {
  const child = startChild('desk-window.ts', [dataDir, 'used']);
  const [, megabytes] = (await firstWords(child)).split(' ');
  await once(child, 'exit');
  const what = `memory of the host with its threads, ${String(MANY)} cached`;
  return { what, ours: Number(megabytes), base: MAX_MEMORY, goal: 1, unit: 'MB' };
}

function rowsOf(ours: readonly Run[], base: readonly Run[]): readonly BenchRow[] {
  const frames = ours.flatMap((one) => one.frames).toSorted((a, b) => a - b);
  const p99 = frames[Math.floor(frames.length * 0.99)] ?? Number.NaN;
  const long = frames.filter((frame) => frame > MAX_FRAME).length;
  const most = Math.max(...ours.map(({ rows }) => rows));
  const middle = (of: readonly Run[], part: (run: Run) => number): number => median(of.map(part));
  const kilobytes = ({ heap }: Run): number => heap / 1024;
  return [
    {
      what: `first rows, ${String(MANY)} / ${String(FEW)} cached`,
      ours: middle(ours, ({ firstRows }) => firstRows),
      base: middle(base, ({ firstRows }) => firstRows),
      goal: GOAL_FIRST_ROWS,
    },
    {
      what: `longest frame, scrolled and jumped / ${String(MAX_FRAME)} ms (99 % within ${p99.toFixed(1)} ms, ${String(long)} of ${String(frames.length)} longer)`,
      ours: frames.at(-1) ?? Number.NaN,
      base: MAX_FRAME,
      goal: 1,
    },
    { what: 'row elements / the most there may be', ours: most, base: MAX_ROWS, goal: 1 },
    {
      what: `memory of the page in kB, ${String(MANY)} / ${String(FEW)} cached`,
      ours: middle(ours, kilobytes),
      base: middle(base, kilobytes),
      goal: GOAL_HEAP,
    },
  ];
}

/** Starts the program once on a data folder, which stays unchanged. */
async function measure(dataDir: string): Promise<Run> {
  await readFile(`${dataDir}.key`);
  const app = await startDeskApp({ dataDir });
  const { page } = app;
  try {
    await page.getByRole('grid').getByText('Avtal 0', { exact: true }).waitFor();
    // Load the same page again in a warm browser, so that only the list is measured.
    const firstRows = await reload(page);
    const frames = [
      ...(await page.evaluate(scroll, SCROLLED)),
      ...(await page.evaluate(jump, JUMPS)),
    ];
    const rows = await page.getByRole('grid').getByRole('row').count();
    return { firstRows, frames, rows, heap: await heapOf(page) };
  } finally {
    await app.close();
  }
}

async function reload(page: Page): Promise<number> {
  await page.reload();
  await page.getByRole('grid').getByText('Avtal 0', { exact: true }).waitFor();
  return page.evaluate(() => performance.now());
}

/** Times between the frames of an even scroll of some rows per frame (ms). */
function scroll(frames: number): Promise<number[]> {
  return new Promise((resolve) => {
    const list = document.querySelector('[role=grid]');
    const times: number[] = [];
    let last = performance.now();
    const step = (now: number): void => {
      times.push(now - last);
      last = now;
      if (list === null || times.length > frames) resolve(times.slice(1));
      else {
        list.scrollTop += 130;
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
  });
}

/** Times between the frames while the list is dragged from one position to another (ms). */
function jump(frames: number): Promise<number[]> {
  return new Promise((resolve) => {
    const list = document.querySelector('[role=grid]');
    const times: number[] = [];
    let last = performance.now();
    const step = (now: number): void => {
      times.push(now - last);
      last = now;
      if (list === null || times.length > frames * 3) resolve(times.slice(1));
      else {
        // Jump at every third frame only, so that the rows in between have time to load.
        if (times.length % 3 === 1)
          list.scrollTop = (list.scrollHeight * ((times.length * 37) % 100)) / 100;
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
  });
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
