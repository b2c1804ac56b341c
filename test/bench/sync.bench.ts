import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { median } from './median.ts';
import { IS_MILLION } from './million.ts';

export const name = 'sync: a whole copy of a local service, and one of which nothing changed';

const AGREEMENTS = 20_000;
const FEW = 1000;
const MANY = IS_MILLION ? 1_000_000 : 100_000;
const PAIRS = 3;
const PAGE = 100;
const IN_FLIGHT = 4;
const LATENCY_MS = 50;
/** Goal: 0.14 of the peer's speed, including the search index. */
const SPEED_GOAL = 1 / 0.14;
/** Goal: 0.85 of the speed that the latency allows. */
const LATENCY_GOAL = 1 / 0.85;
/** Goal: at most this factor between two measurements of the same work, on a busy computer. */
const SAME_COST = 1.5;
const MAX_BLOCK_MS = 16;
const UNCHANGED_READINGS = 15;

const Place = z.object({
  v1Url: z.string(),
  v2Url: z.string(),
  token: z.string(),
  accessKey: z.string(),
  accountId: z.string(),
});
const Timing = z.object({
  received: z.number(),
  milliseconds: z.number(),
  read: z.number(),
  longest: z.number(),
  ninetyNine: z.number(),
  changes: z.array(z.number()),
});
type Api = 'v1' | 'v2';
type Place = z.infer<typeof Place>;

/**
 * Compares the sync with undici, which reads the bytes of the same pages, four at a time, and
 * discards them.
 */
export async function run(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  await serving(AGREEMENTS, 0, async (place) => {
    for (const api of ['v1', 'v2'] as const) rows.push(...(await throughput(place, api)));
  });
  await serving(AGREEMENTS, LATENCY_MS, async (place) => rows.push(await withLatency(place)));
  rows.push(...(await unchanged()));
  return rows;
}

async function throughput(place: Place, api: Api): Promise<BenchRow[]> {
  const ours: number[] = [];
  const base: number[] = [];
  const blocks: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const timing = await sync(place, api, 0);
    base.push(await timed(() => readRaw(place, api, timing.received)));
    ours.push(timing.milliseconds);
    blocks.push(timing.longest);
  }
  const perSecond = Math.round((AGREEMENTS / median(ours)) * 1000);
  const what = `${api}: ${String(perSecond)} agreements a second, indexed / undici, bytes only`;
  const blocked = `${api}: the main loop stood still at most, of ${String(MAX_BLOCK_MS)} ms`;
  return [
    { what, ours: median(ours), base: median(base), goal: SPEED_GOAL },
    { what: blocked, ours: median(blocks), base: MAX_BLOCK_MS, goal: 1 },
  ];
}

/**
 * Measures reading and writing the pages; the index is built after the last request to the service.
 */
async function withLatency(place: Place): Promise<BenchRow> {
  const ours: number[] = [];
  for (let round = 0; round < PAIRS; round += 1) ours.push((await sync(place, 'v2', 0)).read);
  const base = (AGREEMENTS / PAGE / IN_FLIGHT) * LATENCY_MS;
  const what = `v2: pages at ${String(LATENCY_MS)} ms, ${String(IN_FLIGHT)} at once / what that allows`;
  return { what, ours: median(ours), base, goal: LATENCY_GOAL };
}

async function unchanged(): Promise<BenchRow[]> {
  const few = await serving(FEW, 0, (place) => sync(place, 'v1', UNCHANGED_READINGS));
  const many = await serving(MANY, 0, (place) => sync(place, 'v1', UNCHANGED_READINGS));
  const what = `v1: nothing changed among ${String(MANY)} / among ${String(FEW)}`;
  return [{ what, ours: median(many.changes), base: median(few.changes), goal: SAME_COST }];
}

async function sync(place: Place, api: Api, again: number): Promise<z.infer<typeof Timing>> {
  const { v1Url, v2Url, ...credentials } = place;
  const order = JSON.stringify({ api, again, place: { v1Url, v2Url, credentials } });
  const script = path.join(import.meta.dirname, 'children/sync.ts');
  const child = spawn(process.execPath, [script, order], { stdio: ['ignore', 'pipe', 'inherit'] });
  return Timing.parse(JSON.parse(await text(child.stdout)));
}

/** Runs `work` with the service in its own process, which delays each answer. */
async function serving<Result>(
  agreements: number,
  latency: number,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const script = path.join(import.meta.dirname, 'children/service.ts');
  const child = spawn(process.execPath, [script, String(agreements), String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    return await work(Place.parse(JSON.parse(line)));
  } finally {
    child.kill('SIGTERM');
    await wait(0);
  }
}

async function readRaw(place: Place, api: Api, agreements: number): Promise<void> {
  const { origin } = new URL(place.v1Url);
  const pool = new Pool(origin, { connections: IN_FLIGHT });
  const headers =
    api === 'v1' ? { authorization: `Token ${place.token}` } : { accesskey: place.accessKey };
  const pages = Array.from({ length: Math.ceil(agreements / PAGE) }, (_, index) => index).values();
  const read = async (): Promise<void> => {
    for (const page of pages) {
      const { body } = await pool.request({
        path: pathOf(place, api, page),
        method: 'GET',
        headers,
      });
      for await (const chunk of body) void chunk;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, read));
  await pool.close();
}

/** Path of a page that the program requests. */
function pathOf(place: Place, api: Api, page: number): string {
  const query = new URLSearchParams(
    api === 'v1'
      ? {
          include:
            'attachments,parties,parties.signingConfigurations,parties.signingResult,parties.rejectionResult,tags',
          'page[size]': String(PAGE),
          'page[number]': String(page + 1),
        }
      : {
          status: 'MODIFIED',
          from: '2000-01-01 01:00:00',
          to: '2100-01-01 01:00:00',
          offset: String(page * PAGE),
          max: String(PAGE),
        },
  );
  const below = api === 'v1' ? `${place.v1Url}/v1/agreements` : `${place.v2Url}/agreements`;
  return `${new URL(below).pathname}?${query.toString()}`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
