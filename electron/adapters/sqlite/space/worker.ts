import { workerData } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { connect } from '../database/cipher.ts';
import { doTask } from '../database/task-worker.ts';
import { measure } from './measure.ts';
import { type Freed, SpaceTask } from './messages.ts';

/*
 * Measures the data file, or gives back what is free in it, beside the main loop: one task, and the
 * thread ends.
 */

/** 160 KB: the main loop's writes wait no longer than for one of these. */
const PAGES_AT_ONCE = 40;

function run({ do: what, file, key }: SpaceTask, onFreed: (freed: Freed) => void): unknown {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('busy_timeout = 5000');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('secure_delete = ON');
    switch (what) {
      case 'measure':
        return measure(raw);
      case 'compact-in-steps':
        return compactInSteps(raw, onFreed);
      case 'compact-whole':
        return compactWhole(raw);
    }
  } finally {
    raw.close();
  }
}

/** Stopped at any place the file is whole: each step is a transaction. */
function compactInSteps(raw: Sqlite.Database, onFreed: (freed: Freed) => void): null {
  // Nothing is lost with a step that a power cut takes back.
  raw.pragma('synchronous = NORMAL');
  const free = (): number => z.number().parse(raw.pragma('freelist_count', { simple: true }));
  const of = free();
  for (let left = of; left > 0;) {
    raw.pragma(`incremental_vacuum(${String(PAGES_AT_ONCE)})`);
    const now = free();
    onFreed({ pages: of - now, of });
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

doTask((onProgress) => run(SpaceTask.parse(workerData), onProgress));
