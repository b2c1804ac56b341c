import { Thread } from '../../threads/connect.ts';
import { threadFile } from '../../threads/file.ts';
import type { Database } from '../database/database.ts';
import type { CheckpointCalls } from './checkpoint-worker.ts';
import type { OpenDatabase } from './open.ts';

const WORKER = threadFile(import.meta.url, './checkpoint-worker.ts', 'checkpoint-worker');

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
  let thread: Thread<CheckpointCalls> | null = null;
  let isMoving = false;
  let commits = 0;
  let isClosed = false;

  const move = async (): Promise<void> => {
    thread ??= new Thread({ file: WORKER, workerData: { file, key }, work: 'Moving the log' });
    try {
      await thread.call('move', []);
      isMoving = false;
      database.setLogPages(LOG_PAGES);
    } catch {
      // Its connection could not be opened, or the disk takes no more: the next commit says so itself.
      if (!isClosed) database.setLogPages(USUAL_PAGES);
    }
  };
  const committed = () => {
    commits += 1;
    if (commits < COMMITS || isMoving || isClosed) return;
    commits = 0;
    isMoving = true;
    void move();
  };
  database.onCommit(committed);

  return {
    committed,
    async close() {
      isClosed = true;
      database.onCommit(() => {});
      await thread?.close();
    },
  };
}
