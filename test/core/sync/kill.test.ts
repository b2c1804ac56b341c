// tier: quick, 25 s, because it kills a real program at one point of each kind
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { startDemo, type Demo } from '../../../electron/demo/start.ts';
import {
  type TempDatabase,
  type TempFolder,
  tempDatabase,
  tempFolder,
} from '../../adapters/sqlite/temp-database.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { copyOf, createSyncing, ids } from '../../support/desks/syncing.ts';
import { wasKilled } from '../../support/killed.ts';
import { runLength } from '../../support/run-length.ts';
import type { KillPoint } from './children/sync-once.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Number of agreements of each API; SHARE moves most kill points to fit that number. */
const { AGREEMENTS, SHARE } = runLength({
  whole: { AGREEMENTS: 1500, SHARE: 1 },
  all: { AGREEMENTS: 450, SHARE: 0.5 },
});

let child: string;
let demo: Demo;
let undisturbed: TempDatabase;
let open: readonly string[];
/** Number of requests of an undisturbed reading. */
let whole = 0;

beforeAll(async () => {
  child = await bundleChild('core/sync/children/sync-once.ts');
  demo = await startDemo({ dataDir: null, seed: AGREEMENTS, counterpartDelayMs: null });
  undisturbed = tempDatabase();
  const outcomes = await createSyncing(undisturbed.stores, demo).runBoth(true);
  whole = outcomes.reduce((sum, { requests }) => sum + requests, 0);
  open = demo.agreements.v1().flatMap(({ id, state }) => (state === 'READY_TO_SIGN' ? id : []));
});
afterAll(async () => {
  undisturbed[Symbol.dispose]();
  await demo.close();
});

/** Runs a full reading in its own process; null if it was killed. */
async function run({ file, key }: TempFolder, kill: KillPoint | null, isThreaded: boolean) {
  const { v1Url, v2Url, credentials } = demo;
  const place = { v1Url, v2Url, credentials };
  const order = { file, key: Buffer.from(key).toString('hex'), place, kill, isThreaded };
  const reading = spawn(process.execPath, [child, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code, signal]] = await Promise.all([text(reading.stdout), once(reading, 'exit')]);
  if (wasKilled(code, signal)) return null;
  expect(code).toBe(0);
  return JSON.parse(output) as { readonly requests: number; readonly failure: unknown }[];
}

type Point = readonly [where: string, point: KillPoint, isResumed: boolean];

const allPoints: readonly Point[] = [
  ['before anything is stored', at('all', 'quickTransaction', 1, 'before'), false],
  ['after writing the first page, before its commit', at('sync', 'saveFull', 1, 'before'), false],
  ['in the middle of the rows of a page', at('row', 'INSERT INTO agreement_content', 450), true],
  ['between storing a page and its position', at('agreements', 'put', 60 * SHARE), true],
  [
    'after writing the position of a page, before its commit',
    at('sync', 'saveFull', 20 * SHARE),
    true,
  ],
  ['between two pages', at('all', 'quickTransaction', 130 * SHARE), true],
  ['before the reading counts as complete', at('sync', 'endFull', 1, 'before'), true],
  [
    'after writing the time of the check, before its commit',
    at('connections', 'setCheckedUntil', 1),
    true,
  ],
  [
    'before writing the time of the check for later changes',
    at('connections', 'setCheckedUntil', 3, 'before'),
    false,
  ],
  ['after writing the time of the last check', at('connections', 'setCheckedUntil', 4), false],
];

/** Kill points while a thread writes the copies. */
const allThreaded: readonly Point[] = [
  ['before the thread gets a page', at('copies', 'store', 1, 'before'), false],
  ['after the thread got the first pages', at('copies', 'store', 3), false],
  ['in the middle of the thread’s work', at('copies', 'store', 12 * SHARE), false],
  ['after the thread got the last pages', at('copies', 'store', 20 * SHARE), false],
  [
    'after all pages are written, before the reading counts as complete',
    at('sync', 'endFull', 1, 'before'),
    true,
  ],
  ['while the thread builds the index', at('copies', 'buildIndex', 2), false],
];

/** A short run has one of each kind: between two pages, before the end, and in the thread. */
const points = runLength({
  whole: allPoints,
  all: allPoints,
  short: allPoints.filter((_, number) => number === 5 || number === 6),
});
const threaded = runLength({
  whole: allThreaded,
  all: allThreaded,
  short: allThreaded.filter((_, number) => number === 2),
});

function at(
  store: KillPoint['store'],
  method: string,
  use: number,
  when: KillPoint['when'] = 'after',
): KillPoint {
  return { store, method, use, when };
}

describe('a full reading that is killed', () => {
  it.each(points)(
    '%s ends after a restart with the same copy as an uninterrupted reading (T1-14, T1-15)',
    { timeout: MINUTE },
    (...point) => killAndGoOn(point, false),
  );
});

describe('a full reading that is killed together with its thread', () => {
  it.each(threaded)(
    '%s ends after a restart with the same copy as an uninterrupted reading',
    { timeout: MINUTE },
    (...point) => killAndGoOn(point, true),
  );
});

async function killAndGoOn([where, point, isResumed]: Point, isThreaded: boolean): Promise<void> {
  using place = tempFolder();
  expect(await run(place, point, isThreaded)).toBeNull();
  // Agreements on the service change while the program is down.
  const number = [...points, ...threaded].findIndex(([one]) => one === where);
  demo.act('v1', open[number] ?? '', 'sign-others');
  const ended = await run(place, null, isThreaded);
  expect(ended?.map(({ failure }) => failure)).toEqual([null, null]);
  if (isResumed) {
    const asked = ended?.reduce((sum, { requests }) => sum + requests, 0) ?? Infinity;
    expect(asked).toBeLessThan(whole);
  }
  await createSyncing(undisturbed.stores, demo).runBoth();
  const database = openDatabase({ ...place, now: Date.now() });
  const stores = createStores(database);
  const copy = copyOf(database, stores);
  expect(copy.size).toBeGreaterThan(2 * AGREEMENTS);
  expect(copy).toEqual(copyOf(undisturbed.database, undisturbed.stores));
  expect([stores.sync.full(ids.v1), stores.sync.full(ids.v2)]).toEqual([null, null]);
  database.close();
}
