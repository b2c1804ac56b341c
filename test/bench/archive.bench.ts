import { spawn, spawnSync } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import { systemChance, systemClock } from '../../electron/adapters/system/platform.ts';
import { createOpenService } from '../../electron/adapters/rest/open-service.ts';
import {
  aria2c,
  curl,
  curlHashedAndFlushed,
  inFolder,
  isInstalled,
  type Load,
  type Peer,
} from './archive-peers.ts';
import { archive, openArchive, plantArchived } from './archive-runs.ts';
import { median } from './median.ts';
import { firstWords, servingPdfs, startChild } from './child-process.ts';

export const name =
  'archive: PDFs of a local service, against curl, which checks and flushes nothing';

/** Share of the files to use; less than 1 shows only that the measurements work. */
const SHARE = Number(process.env['ARCHIVE_BENCH_SHARE'] ?? '1');
const share = (count: number): number => Math.max(8, Math.round(count * SHARE));

const PAIRS = 3;
const KILOBYTE = 1024;
const SMALL: Load = { files: share(2000), bytes: 200 * KILOBYTE };
const LARGE: Load = { files: share(200), bytes: 5 * KILOBYTE * KILOBYTE };
const FAR: Load = { files: share(600), bytes: 200 * KILOBYTE, latency: 50 };
const ARCHIVED = share(20_000);

/** Goals: half of curl's speed, with hash, checks, flush and rename, and twice that of aria2c. */
const CURL_GOAL = 1 / 0.5;
const ARIA_GOAL = 1 / 2;
/** Goal against curl that does the same work, file by file. */
const SAME_WORK_GOAL = 1;
const FAR_GOAL = 1 / 0.9;
/** Goal: at least 0.8 of the speed that the latency allows. */
const IDEAL_GOAL = 1 / 0.8;
const FLUSH_GOAL = 1.15;
const NOTHING_NEW_GOAL = 1.2;
/**
 * Goal for the memory: the program knows all agreements, but does not keep their files in memory.
 */
const MEMORY_GOAL = 1.25;

/** Compares the archive with `curl -Z` and `aria2c`, with the same number of parallel downloads. */
export async function run(): Promise<readonly BenchRow[]> {
  if (!isInstalled('curl')) throw new Error('Install curl to compare with');
  const rows = [
    await against(curl, 'PDFs of 200 kB, 8 at once / curl', SMALL, 8, CURL_GOAL),
    await against(curl, 'PDFs of 5 MB, 8 at once / curl', LARGE, 8, CURL_GOAL),
    await against(
      curlHashedAndFlushed,
      'PDFs of 200 kB / curl, then sha256sum and sync of each',
      SMALL,
      8,
      SAME_WORK_GOAL,
    ),
    await against(
      curlHashedAndFlushed,
      'PDFs of 5 MB / curl, then sha256sum and sync of each',
      LARGE,
      8,
      SAME_WORK_GOAL,
    ),
    await against(curl, 'with 50 ms of latency, 32 at once / curl', FAR, 32, FAR_GOAL),
    await ideal(),
    await flushes(),
    await nothingNew(),
    await calls(),
    await memory('2,000 files / 200 files', SMALL, { ...SMALL, files: share(200) }),
    await memory('files of 5 MB / of 200 kB', LARGE, { ...SMALL, files: LARGE.files }),
  ];
  if (!isInstalled('aria2c')) {
    console.warn('  SKIPPED: aria2c is not installed');
    return rows;
  }
  const aria = await against(aria2c, 'PDFs of 200 kB, 8 at once / aria2c', SMALL, 8, ARIA_GOAL);
  return [...rows, aria];
}

async function against(
  peer: Peer,
  what: string,
  load: Load,
  parallel: number,
  goal: number,
): Promise<BenchRow> {
  return servingPdfs(load, async (origin) => {
    const paired = await pairs(
      () => archive(origin, load, parallel),
      () => peer(origin, load, parallel),
    );
    return { what: `${load.files} ${what}`, ...paired, goal };
  });
}

/**
 * Runs both in pairs, each of them first in turn, so that neither always finds the disk as the
 * other left it.
 */
async function pairs(
  ours: () => Promise<number>,
  base: () => number | Promise<number>,
): Promise<{ ours: number; base: number }> {
  const times = { ours: [] as number[], base: [] as number[] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (pair % 2 === 0) times.base.push(await base());
    times.ours.push(await ours());
    if (pair % 2 === 1) times.base.push(await base());
  }
  return { ours: median(times.ours), base: median(times.base) };
}

async function ideal(): Promise<BenchRow> {
  const parallel = 16;
  const base = (FAR.files * (FAR.latency ?? 0)) / parallel;
  const took = await servingPdfs(FAR, async (origin) => [
    await archive(origin, FAR, parallel),
    await archive(origin, FAR, parallel),
    await archive(origin, FAR, parallel),
  ]);
  return { what: 'what 50 ms allow, 16 at once', ours: median(took), base, goal: IDEAL_GOAL };
}

/** Additional time because each file is flushed to the disk before it gets its name. */
async function flushes(): Promise<BenchRow> {
  const load = { ...SMALL, files: Math.ceil(SMALL.files / 2) };
  const handle = await open(import.meta.filename);
  const files: Pick<FileHandle, 'sync'> = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = files;
  const paired = await servingPdfs(load, (origin) =>
    pairs(
      () => archive(origin, load, 8),
      async () => {
        files.sync = () => Promise.resolve();
        try {
          return await archive(origin, load, 8);
        } finally {
          files.sync = sync;
        }
      },
    ),
  );
  return { what: `${load.files} PDFs, flushed / not flushed`, ...paired, goal: FLUSH_GOAL };
}

/**
 * Compares a run that finds every file already saved, with its pages of the list, with those pages
 * alone.
 */
async function nothingNew(): Promise<BenchRow> {
  const child = startChild('service.ts', [String(ARCHIVED)]);
  try {
    const service = Service.parse(JSON.parse(await firstWords(child)));
    const pages = () => readPages(service);
    return await inFolder(async (parent) => {
      const folder = path.join(parent, 'archive');
      const { stores, archiving, close } = openArchive(parent, service.v1Url, ARCHIVED);
      plantArchived(stores, folder, ARCHIVED);
      const look = async () => {
        const { result } = await archiving.run({ folder, parallel: 8 });
        if (result.present !== ARCHIVED) throw new Error(JSON.stringify(result));
      };
      // The first run creates the lists.
      await look();
      const paired = await pairs(
        () => timed(() => pages().then(look)),
        () => timed(pages),
      );
      close();
      const what = `${ARCHIVED} archived and nothing new / their list pages read`;
      return { what, ...paired, goal: NOTHING_NEW_GOAL };
    });
  } finally {
    child.kill();
  }
}

const Service = z.object({ v1Url: z.string(), token: z.string() });

async function readPages({ v1Url, token }: z.infer<typeof Service>): Promise<void> {
  const log = { info: () => {}, error: String };
  const openService = createOpenService({ clock: systemClock, chance: systemChance, log });
  const who = { api: 'v1', environment: 'test', orgNo: null, url: v1Url, accountId: null } as const;
  let count = 0;
  for await (const page of openService(who, token).changes(null, new AbortController().signal)) {
    count += page.items.length;
  }
  if (count < ARCHIVED) throw new Error(`Only ${count} agreements were read`);
}

/** Number of requests for each archived agreement, in addition to the pages of the list. */
async function calls(): Promise<BenchRow> {
  const load = { files: share(200), bytes: KILOBYTE };
  const asked = await servingPdfs(load, async (origin) => {
    await archive(origin, load, 8);
    const response = await fetch(`${origin}/count`);
    return Number(await response.text());
  });
  return { what: 'calls of the service', ours: asked, base: load.files, goal: 1, unit: 'calls' };
}

async function memory(what: string, more: Load, less: Load): Promise<BenchRow> {
  const held = (load: Load) =>
    servingPdfs(load, async (origin) => {
      const script = path.join(import.meta.dirname, 'children/archive-memory.ts');
      const child = spawn(process.execPath, [script, origin, String(load.files), '8'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return Number(await firstWords(child));
    });
  const [ours, base] = [await held(more), await held(less)];
  return { what: `memory at most, ${what}`, ours, base, goal: MEMORY_GOAL, unit: 'MB' };
}

async function timed(work: () => Promise<void>): Promise<number> {
  spawnSync('sync');
  const started = performance.now();
  await work();
  return performance.now() - started;
}
