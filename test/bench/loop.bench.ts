import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { cacheAgreements } from '../app/support/cached-agreements.ts';
import { median } from './median.ts';
import { servingPdfs } from './child-process.ts';

export const name = 'loop: how long the main loop stands still in long work';

const FRAME_MS = 16;
const ROUNDS = 3;
const REPORTED = 200_000;
const FROZEN = 10_000;
const ARCHIVED = { files: 2000, bytes: 200 * 1024 };

const Stops = z.object({ most: z.number(), longest: z.number(), took: z.number() });

/** Measures the main loop; 999 of 1,000 turns may take one frame at most. */
export async function run(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const data = path.join(folder, 'data');
    await cacheAgreements(data, REPORTED);
    const report = `a report of ${String(REPORTED)} rows`;
    return [
      await stops(`${report}, Excel`, 'report', data, 'xlsx'),
      await stops(`${report}, CSV`, 'report', data, 'csv'),
      await servingPdfs(ARCHIVED, (origin) =>
        stops(`${String(ARCHIVED.files)} PDFs archived`, 'archive', origin, `${ARCHIVED.files}`),
      ),
      await stops(`${String(FROZEN)} rows of a batch frozen`, 'freeze', String(FROZEN)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function stops(what: string, ...order: readonly string[]): Promise<BenchRow> {
  const rounds: z.infer<typeof Stops>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const script = path.join(import.meta.dirname, 'children/loop.ts');
    const child = spawn(process.execPath, [script, ...order], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    rounds.push(Stops.parse(JSON.parse(await text(child.stdout))));
  }
  const longest = Math.max(...rounds.map((round) => round.longest));
  return {
    what: `${what} / a frame, 999 of 1,000 (longest ${longest.toFixed(0)} ms)`,
    ours: median(rounds.map(({ most }) => most)),
    base: FRAME_MS,
    goal: 1,
  };
}
