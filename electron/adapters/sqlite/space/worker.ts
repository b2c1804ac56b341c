import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { connect } from '../database/cipher.ts';
import { serveData } from '../database/serve-data.ts';
import { measure } from './measure.ts';

/* Measures the data file, or gives back what is free in it, beside the main loop. */

/** 160 KB: the main loop's writes wait no longer than for one of these. */
const PAGES_AT_ONCE = 40;

interface DataFile {
  readonly file: string;
  readonly key: Uint8Array;
}

function inFile<Result>({ file, key }: DataFile, work: (raw: Sqlite.Database) => Result): Result {
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

/** Stopped at any place the file is whole: each step is a transaction. */
function compactInSteps(raw: Sqlite.Database): void {
  // Nothing is lost with a step that a power cut takes back.
  raw.pragma('synchronous = NORMAL');
  const free = (): number => z.number().parse(raw.pragma('freelist_count', { simple: true }));
  const of = free();
  for (let left = of; left > 0;) {
    raw.pragma(`incremental_vacuum(${String(PAGES_AT_ONCE)})`);
    const now = free();
    report(of - now, of);
    // Others freed as much, or it is kept from it: the next time goes on.
    if (now >= left) break;
    left = now;
  }
  raw.pragma('synchronous = FULL');
  raw.pragma('wal_checkpoint(PASSIVE)');
}

/** From then on it can be done in steps. */
function compactWhole(raw: Sqlite.Database): void {
  raw.pragma('synchronous = FULL');
  raw.pragma('fullfsync = ON');
  raw.pragma('auto_vacuum = INCREMENTAL');
  raw.exec('VACUUM');
  raw.pragma('wal_checkpoint(TRUNCATE)');
}

const tasks = {
  measure: (file: DataFile) => inFile(file, measure),
  compactInSteps: (file: DataFile) => inFile(file, compactInSteps),
  compactWhole: (file: DataFile) => inFile(file, compactWhole),
};
export type SpaceTasks = typeof tasks;

const report = serveData(tasks);
