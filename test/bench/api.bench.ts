import { spawn } from 'node:child_process';
import path from 'node:path';
import { Pool } from 'undici';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { systemChance, systemClock } from '../../electron/adapters/system/platform.ts';
import { createOpenService } from '../../electron/adapters/rest/open-service.ts';
import type { AgreementService } from '../../electron/core/ports.ts';
import { median } from './median.ts';

export const name = 'api: 20,000 agreements read page by page from a local service, and parsed';

const AGREEMENTS = 20_000;
const PAIRS = 5;
const PEER_IN_FLIGHT = 4;
/** Goal: at least 0.6 of the peer's speed. */
const GOAL = 1 / 0.6;

const Service = z.object({
  v1Url: z.string(),
  v2Url: z.string(),
  token: z.string(),
  accessKey: z.string(),
  accountId: z.string(),
});
type Service = z.infer<typeof Service>;

/**
 * Compares the program with undici, which reads the bytes of the same pages, four at a time, and
 * discards them.
 */
export async function run(): Promise<readonly BenchRow[]> {
  const service = path.join(import.meta.dirname, 'children/service.ts');
  const child = spawn(process.execPath, [service, String(AGREEMENTS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    const running = Service.parse(JSON.parse(line));
    return [await compare(running, 'v1'), await compare(running, 'v2')];
  } finally {
    child.kill('SIGTERM');
  }
}

async function compare(running: Service, api: 'v1' | 'v2'): Promise<BenchRow> {
  const { paths, headers, origin } = await pathsAsked(running, api);
  const ours: number[] = [];
  const base: number[] = [];
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    const withDesk = await timed(() => readAll(open(running, api)));
    const withPeer = await timed(() => readRaw(origin, paths, headers));
    if (pair === 0) continue;
    ours.push(withDesk);
    base.push(withPeer);
  }
  const perSecond = Math.round((AGREEMENTS / median(ours)) * 1000);
  const what = `${api}: ${String(perSecond)} agreements a second / undici, bytes only, 4 pages at once`;
  return { what, ours: median(ours), base: median(base), goal: GOAL };
}

function open(running: Service, api: 'v1' | 'v2'): AgreementService {
  const log = { info: () => {}, error: String };
  const openService = createOpenService({ clock: systemClock, chance: systemChance, log });
  const { v1Url, v2Url, token, accessKey, accountId } = running;
  const who = { api, environment: 'test', orgNo: null } as const;
  return api === 'v1'
    ? openService({ ...who, url: v1Url, accountId: null }, token)
    : openService({ ...who, url: v2Url, accountId }, accessKey);
}

async function readAll(service: AgreementService): Promise<void> {
  let count = 0;
  for await (const page of service.changes(null, new AbortController().signal)) {
    count += page.items.length;
  }
  if (count < AGREEMENTS) throw new Error(`Only ${String(count)} agreements were read`);
}

/** Addresses that the program itself requests, recorded during one reading. */
async function pathsAsked(running: Service, api: 'v1' | 'v2') {
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel');
  const paths: string[] = [];
  const note = (message: unknown): void => {
    const request = z.object({ request: z.object({ path: z.string() }) }).parse(message);
    paths.push(request.request.path);
  };
  subscribe('undici:request:create', note);
  await readAll(open(running, api));
  unsubscribe('undici:request:create', note);
  const headers: Record<string, string> =
    api === 'v1' ? { authorization: `Token ${running.token}` } : { accesskey: running.accessKey };
  return { paths, headers, origin: new URL(running.v1Url).origin };
}

async function readRaw(
  origin: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const pool = new Pool(origin, { connections: PEER_IN_FLIGHT });
  const queue = paths.values();
  const work = async (): Promise<void> => {
    for (const asked of queue) {
      const { body } = await pool.request({ path: asked, method: 'GET', headers: { ...headers } });
      for await (const chunk of body) void chunk;
    }
  };
  await Promise.all(Array.from({ length: PEER_IN_FLIGHT }, work));
  await pool.close();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
