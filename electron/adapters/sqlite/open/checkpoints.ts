import { Worker } from 'node:worker_threads';
import type { Database } from '../database/database.ts';
import type { OpenDatabase } from './open.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './checkpoint-worker.ts' : './checkpoint-worker.mjs',
  import.meta.url,
);

/** A command that writes a little begins no thread. */
const COMMITS = 20;
/** 64 MB of log: more than that, and commits move it themselves again. */
export const LOG_PAGES = 16_384;
/** What SQLite does by itself. */
const USUAL_PAGES = 1000;

/** Ends the thread; the data file is closed after it. */
interface Checkpoints {
  /** Another connection of this process has committed as well. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * From now on a thread of its own moves the log into the data file (SQLite: a checkpoint), while the
 * main loop goes on. Left to itself every commit of a large load does so now and then, which takes
 * as long as a dozen frames of the window. Without the thread, whatever ended it, commits do it again.
 */
export function checkpointInThread(
  database: Database,
  { file, key }: Pick<OpenDatabase, 'file' | 'key'>,
): Checkpoints {
  let worker: Worker | null = null;
  let isMoving = false;
  let commits = 0;

  const begin = (): Worker => {
    const begun = new Worker(WORKER, { workerData: { file, key }, env: {}, argv: [] });
    begun.unref();
    begun.on('message', () => {
      isMoving = false;
      database.setLogPages(LOG_PAGES);
    });
    // Its connection could not be opened, or the disk takes no more: the next commit says so itself.
    begun.on('error', () => database.setLogPages(USUAL_PAGES));
    return begun;
  };
  const committed = () => {
    commits += 1;
    if (commits < COMMITS || isMoving) return;
    commits = 0;
    isMoving = true;
    worker ??= begin();
    worker.postMessage('move');
  };
  database.onCommit(committed);

  return {
    committed,
    async close() {
      database.onCommit(() => {});
      const open = worker;
      if (open === null || open.threadId === -1) return;
      open.ref();
      open.postMessage('end');
      // Also where it fails at this very moment: closing goes on.
      await new Promise((resolve) => open.once('exit', resolve));
    },
  };
}
