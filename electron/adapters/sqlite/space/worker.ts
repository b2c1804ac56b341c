import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { connect } from '../database/cipher.ts';
import { serveData } from '../database/serve-data.ts';
import { measureSizes } from './measure.ts';

/* Measures the data file, or releases its free pages, off the main loop. */

/**
 * Number of pages released in one step (160 KB): a write of the main loop waits for one step at
 * most.
 */
const PAGES_PER_VACUUM_STEP = 40;

interface DataFile {
  readonly file: string;
  readonly key: Uint8Array;
}

function withDataFile<Result>(
  { file, key }: DataFile,
  work: (raw: Sqlite.Database) => Result,
): Result {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('busy_timeout = 5000');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('secure_delete = ON');
    return work(raw);
  } finally {
    raw.close();
  }
}

/** Releases free pages. It can be interrupted anywhere, because each step is a transaction. */
function compactInSteps(raw: Sqlite.Database): void {
  // A step undone by a power failure loses no data.
  raw.pragma('synchronous = NORMAL');
  const free = (): number => z.number().parse(raw.pragma('freelist_count', { simple: true }));
  const of = free();
  for (let left = of; left > 0;) {
    raw.pragma(`incremental_vacuum(${String(PAGES_PER_VACUUM_STEP)})`);
    const now = free();
    report(of - now, of);
    // If other writers freed as many pages, or the step had no effect, the next run continues.
    if (now >= left) break;
    left = now;
  }
  raw.pragma('synchronous = FULL');
  raw.pragma('wal_checkpoint(PASSIVE)');
}

/** Rewrites the whole file, so that later runs can release pages in steps. */
function compactWhole(raw: Sqlite.Database): void {
  raw.pragma('synchronous = FULL');
  raw.pragma('fullfsync = ON');
  raw.pragma('auto_vacuum = INCREMENTAL');
  raw.exec('VACUUM');
  raw.pragma('wal_checkpoint(TRUNCATE)');
}

const tasks = {
  measure: (file: DataFile) => withDataFile(file, measureSizes),
  compactInSteps: (file: DataFile) => withDataFile(file, compactInSteps),
  compactWhole: (file: DataFile) => withDataFile(file, compactWhole),
};
export type SpaceTasks = typeof tasks;

const report = serveData(tasks);
