import { Thread } from '../../threads/connect.ts';
import { threadFile } from '../../threads/file.ts';
import type { Database } from '../database/database.ts';
import type { CheckpointCalls } from './checkpoint-worker.ts';
import type { OpenDatabase } from './open.ts';

const WORKER = threadFile(import.meta.url, './checkpoint-worker.ts', 'checkpoint-worker');

/** Number of commits before the first checkpoint, so that a small command starts no thread. */
const COMMITS_PER_CHECKPOINT = 20;
/** Maximum size of the WAL in pages (64 MB); if it is larger, commits run the checkpoint again. */
export const MAX_LOG_PAGES = 16_384;
/** SQLite's default for the size of the WAL at which a commit runs a checkpoint (pages). */
const DEFAULT_CHECKPOINT_PAGES = 1000;

/** Checkpoints of a data file, which must be closed before the data file. */
interface Checkpoints {
  /** Reports a commit of another connection of this process. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * Runs checkpoints of the WAL in a separate thread, off the main loop. By default, some commits of
 * a large load run them, which takes as long as a dozen frames of the window. If the thread ends
 * for any reason, commits run checkpoints again.
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
      database.setLogPages(MAX_LOG_PAGES);
    } catch {
      // The connection could not be opened, or the disk is full: the next commit reports the error.
      if (!isClosed) database.setLogPages(DEFAULT_CHECKPOINT_PAGES);
    }
  };
  const committed = () => {
    commits += 1;
    if (commits < COMMITS_PER_CHECKPOINT || isMoving || isClosed) return;
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
