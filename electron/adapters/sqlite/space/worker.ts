import { parentPort, workerData } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { connect } from '../database/cipher.ts';
import { withStorageErrors } from '../database/storage-errors.ts';
import { measure } from './measure.ts';
import { type SpaceReply, SpaceTask } from './messages.ts';

/*
 * Measures the data file, or gives back what is free in it, beside the main loop: one task, and the
 * thread ends.
 */

/** 160 KB: the main loop's writes wait no longer than for one of these. */
const PAGES_AT_ONCE = 40;

function run({ do: what, file, key }: SpaceTask): unknown {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('busy_timeout = 5000');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('secure_delete = ON');
    switch (what) {
      case 'measure':
        return measure(raw);
      case 'compact-in-steps':
        return compactInSteps(raw);
      case 'compact-whole':
        return compactWhole(raw);
    }
  } finally {
    raw.close();
  }
}

/** Stopped at any place the file is whole: each step is a transaction. */
function compactInSteps(raw: Sqlite.Database): null {
  // Nothing is lost with a step that a power cut takes back.
  raw.pragma('synchronous = NORMAL');
  const free = (): number => z.number().parse(raw.pragma('freelist_count', { simple: true }));
  const of = free();
  for (let left = of; left > 0;) {
    raw.pragma(`incremental_vacuum(${String(PAGES_AT_ONCE)})`);
    const now = free();
    post({ kind: 'freed', pages: of - now, of });
    // Others freed as much, or it is kept from it: the next time goes on.
    if (now >= left) break;
    left = now;
  }
  raw.pragma('synchronous = FULL');
  raw.pragma('wal_checkpoint(PASSIVE)');
  return null;
}

/** From then on it can be done in steps. */
function compactWhole(raw: Sqlite.Database): null {
  raw.pragma('synchronous = FULL');
  raw.pragma('fullfsync = ON');
  raw.pragma('auto_vacuum = INCREMENTAL');
  raw.exec('VACUUM');
  raw.pragma('wal_checkpoint(TRUNCATE)');
  return null;
}

function post(reply: SpaceReply): void {
  parentPort?.postMessage(reply);
}

try {
  post({ kind: 'done', value: withStorageErrors(() => run(SpaceTask.parse(workerData))) });
} catch (error) {
  const failure = error instanceof AppError ? error.failure : null;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ kind: 'failed', failure, stack });
}
