import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { databaseFile } from '../../electron/compose/data.ts';
import { cacheAgreements } from '../app/support/cached-agreements.ts';
import { quantile } from './bench-store.ts';
import { median } from './median.ts';
import { IS_MILLION } from './million.ts';

const MANY = IS_MILLION ? 1_000_000 : 100_000;
const ROUNDS = IS_MILLION ? 1 : 3;
const FRAME_MS = 16;
/**
 * Intervals of writes: ten a minute, as in an office, and so many that the slowest commit is met.
 */
const [USUAL_MS, OFTEN_MS] = [6000, 100];
const LATER_MS = 50;
/**
 * Time that a transfer in progress gets when the program ends; the rest of the end must not take
 * longer.
 */
const CLOSING_MS = 5000;
/** Goal for 100,000 agreements. */
const RESTORED_MS = 20_000;
const OPENED_MS = 5000;

export const name = `backup: ${MANY.toLocaleString('en')} agreements backed up and restored`;

const Setup = z.object({ phrase: z.string() });
const DurationStats = z.object({ took: z.number() });
const Made = z.object({
  took: z.number(),
  file: z.string(),
  bytes: z.number(),
  most: z.number(),
  longest: z.number(),
  before: z.array(z.number()),
  during: z.array(z.number()),
});

/**
 * Compares backups with `cp` and a flush of the same data file, which are the fastest possible
 * copy.
 */
export async function run(): Promise<readonly BenchRow[]> {
  const base = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const [data, to] = [path.join(base, 'data'), path.join(base, 'backups')];
    await mkdir(to);
    await cacheAgreements(data, MANY);
    const { phrase } = await child(Setup, 'setup', data, to);
    const often = await child(Made, 'make', data, String(OFTEN_MS));
    const made: z.infer<typeof Made>[] = [];
    const copies: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      copies.push(await copied(databaseFile(data), path.join(base, `copy-${String(round)}`)));
      made.push(await child(Made, 'make', data, String(USUAL_MS)));
    }
    const closing = await child(DurationStats, 'close', data);
    const last = made.at(-1);
    if (last === undefined) throw new Error('No backup was made');
    const restored: number[] = [];
    const opened: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const into = path.join(base, `restored-${String(round)}`);
      restored.push((await child(DurationStats, 'restore', last.file, phrase, into)).took);
      opened.push((await child(DurationStats, 'open', into)).took);
      await rm(into, { recursive: true, force: true });
    }
    const times = { closing: closing.took, restored: median(restored), opened: median(opened) };
    return rowsOf(made, often, copies, times);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

function rowsOf(
  made: readonly z.infer<typeof Made>[],
  { before, during }: z.infer<typeof Made>,
  copies: readonly number[],
  { closing, restored, opened }: Readonly<Record<'closing' | 'restored' | 'opened', number>>,
): readonly BenchRow[] {
  const longest = Math.max(...made.map((one) => one.longest));
  const megabytes = ((made[0]?.bytes ?? 0) / 1024 ** 2).toFixed(0);
  // The slowest one in a hundred may be caused by other work of the computer.
  const later = quantile(during, 0.99) - median(before);
  return [
    {
      what: `made and read back, ${megabytes} MB / cp and a flush`,
      ours: median(made.map(({ took }) => took)),
      base: median(copies),
      goal: 2,
    },
    {
      what: `the loop meanwhile / a frame, 999 of 1,000 (longest ${longest.toFixed(0)} ms)`,
      ours: median(made.map(({ most }) => most)),
      base: FRAME_MS,
      goal: 1,
    },
    { what: 'a commit meanwhile, later by, 99 of 100', ours: later, base: LATER_MS, goal: 1 },
    { what: 'closed in the middle of the copy', ours: closing, base: CLOSING_MS, goal: 1 },
    {
      what: 'restored',
      ours: restored,
      base: (RESTORED_MS * MANY) / 100_000,
      goal: 1,
    },
    { what: 'opened, with its first rows', ours: opened, base: OPENED_MS, goal: 1 },
  ];
}

/** Time that `cp` and a flush of the copy take (ms). */
async function copied(file: string, to: string): Promise<number> {
  const from = performance.now();
  const [exit] = (await once(spawn('cp', [file, to], { stdio: 'inherit' }), 'exit')) as [number];
  if (exit !== 0) throw new Error('cp failed');
  const handle = await open(to, 'r');
  await handle.sync();
  await handle.close();
  const took = performance.now() - from;
  await rm(to);
  return took;
}

async function child<Told>(told: z.ZodType<Told>, ...order: readonly string[]): Promise<Told> {
  const script = path.join(import.meta.dirname, 'children/backup.ts');
  const working = spawn(process.execPath, [script, ...order], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exit]] = await Promise.all([
    text(working.stdout),
    once(working, 'exit') as Promise<[number | null]>,
  ]);
  if (exit !== 0) throw new Error(`${order[0] ?? ''} ended with ${String(exit)}`);
  return told.parse(JSON.parse(output));
}
