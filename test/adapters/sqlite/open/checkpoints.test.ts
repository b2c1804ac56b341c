import { existsSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { checkpointInThread } from '../../../../electron/adapters/sqlite/open/checkpoints.ts';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { NOW, type TempFolder, tempFolder } from '../temp-database.ts';

const COMMITS = 60;
const FEW = 10;
const Log = z.object({ log: z.number(), checkpointed: z.number() });
const Value = z.object({ value: z.string() });

let place: TempFolder;
let database: Database;
let checkpoints: ReturnType<typeof checkpointInThread>;

beforeEach(() => {
  place = tempFolder();
  database = openDatabase({ ...place, now: NOW });
  checkpoints = checkpointInThread(database, place);
});
afterEach(async () => {
  await checkpoints.close();
  database.close();
  place[Symbol.dispose]();
});

/** Writes other pages in each commit, in total fewer than SQLite's own checkpoint limit. */
function write(commits: number): void {
  const set = database.command(`INSERT INTO setting VALUES (@name, @value)
    ON CONFLICT DO UPDATE SET value = excluded.value`);
  for (let at = 0; at < commits; at += 1) {
    database.transaction(() => set({ name: `bench ${String(at)}`, value: 'x'.repeat(20_000) }));
  }
}

/** Returns the number of pages in the log, and of those also in the file. Moves none (NOOP). */
const log = () => database.query('PRAGMA wal_checkpoint(NOOP)', Log).first();

it('commits are moved into the data file while the main loop does other work', async () => {
  const before = database.dataVersion();
  // Below the thread's threshold, no pages are moved.
  write(FEW);
  expect(log()?.checkpointed).toBe(0);
  write(COMMITS);
  await vi.waitFor(() => expect(log()?.checkpointed).toBeGreaterThan(100), { timeout: 200_000 });
  // No other process changed data: cached data stays valid.
  expect(database.dataVersion()).toBe(before);
  write(COMMITS);
  expect(database.dataVersion()).toBe(before);
});

it('a few commits start no checkpoint thread, and are in the data file after closing', async () => {
  write(FEW);
  await checkpoints.close();
  database.close();
  expect(existsSync(`${place.file}-wal`)).toBe(false);
  expect(statSync(place.file).size).toBeGreaterThan(60_000);
  database = openDatabase({ ...place, now: NOW });
  expect(database.query("SELECT value FROM setting WHERE name = 'bench 9'", Value).first()).toEqual(
    { value: 'x'.repeat(20_000) },
  );
});

it('if the checkpoint thread ends, commits checkpoint the write-ahead log in the main loop', async () => {
  const setLogPages = vi.spyOn(database, 'setLogPages');
  const lost = checkpointInThread(database, { ...place, key: place.key.toReversed() });
  write(COMMITS);
  await vi.waitFor(() => expect(setLogPages).toHaveBeenCalledWith(1000), { timeout: 200_000 });
  await lost.close();
  write(COMMITS * 6);
  expect(statSync(place.file).size).toBeGreaterThan(3_000_000);
});

it('commits of another database connection do not checkpoint while the checkpoint thread ends, or later', async () => {
  const setLogPages = vi.spyOn(database, 'setLogPages');
  write(COMMITS);
  await vi.waitFor(() => expect(setLogPages).toHaveBeenCalled(), { timeout: 200_000 });
  const ending = checkpoints.close();
  setLogPages.mockClear();
  for (let at = 0; at < COMMITS; at += 1) checkpoints.committed();
  await ending;
  for (let at = 0; at < COMMITS; at += 1) checkpoints.committed();
  await new Promise((resolve) => setImmediate(resolve));
  expect(setLogPages).not.toHaveBeenCalled();
});
