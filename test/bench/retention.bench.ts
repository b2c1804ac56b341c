import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { cacheAgreements } from '../app/support/cached-agreements.ts';
import { startChild } from './child-process.ts';
import { median } from './median.ts';
import { DAY, MINUTE } from '../../shared/rules/time/units.ts';

const MANY = 100_000;
const FRAME_MS = 16;
/** Maximum time that a user perceives as immediate (ms). */
const PREVIEW_MS = 100;
/** Maximum time for each removed copy (ms), because it is done during other work. */
const EACH_MS = 1;
const THREE_YEARS_MS = 3 * 365 * DAY;

export const name = `retention: the old ones of ${MANY.toLocaleString('en')} agreements`;

const Told = z.object({
  previews: z.array(z.number()),
  found: z.number(),
  removed: z.number(),
  took: z.number(),
  most: z.number(),
  longest: z.number(),
});

/**
 * Measures retention when three quarters of the agreements ended long ago. Signed ones are not
 * archived yet, so they stay.
 */
export async function run(): Promise<readonly BenchRow[]> {
  const base = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const data = path.join(base, 'data');
    const now = Date.now();
    await cacheAgreements(data, MANY, (at) => {
      const closedAt = now - THREE_YEARS_MS - at * MINUTE;
      if (at % 4 === 0) return {};
      const isSigned = at % 4 === 1;
      const state = isSigned ? 'signed' : 'rejected';
      const nativeState = isSigned ? 'SIGNED_BY_ALL' : 'REJECTED';
      return { state, nativeState, updatedAt: closedAt, closedAt };
    });
    const child = startChild('retention.ts', [data]);
    const [output, [exit]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (exit !== 0) throw new Error(`The work ended with ${String(exit)}`);
    return rowsOf(Told.parse(JSON.parse(output)));
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

function rowsOf(told: z.infer<typeof Told>): readonly BenchRow[] {
  const { previews, found, removed, took, most, longest } = told;
  if (removed !== found || removed !== MANY / 2) {
    throw new Error(`${String(removed)} went, and ${String(found)} were found`);
  }
  return [
    { what: 'what a limit does, said before', ours: median(previews), base: PREVIEW_MS, goal: 1 },
    {
      what: `${removed.toLocaleString('en')} copies taken away`,
      ours: took,
      base: EACH_MS * removed,
      goal: 1,
    },
    {
      what: `the loop meanwhile / a frame, 999 of 1,000 (longest ${longest.toFixed(0)} ms)`,
      ours: most,
      base: FRAME_MS,
      goal: 1,
    },
  ];
}
