import { parentPort } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../../../shared/errors.ts';
import { withStorageErrors } from './storage-errors.ts';
import type { TaskReply } from './task-messages.ts';

/** Does the task that a thread was begun for, and posts what becomes of it; the thread ends with it. */
export function doTask(run: (onProgress: (value: unknown) => void) => unknown): void {
  // The addon is loaded with the first database.
  new Sqlite(':memory:').close();
  post({ kind: 'loaded' });
  try {
    const value = withStorageErrors(() => run((value) => post({ kind: 'progress', value })));
    post({ kind: 'done', value });
  } catch (error) {
    const failure = error instanceof AppError ? error.failure : null;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ kind: 'failed', failure, stack });
  }
}

function post(reply: TaskReply): void {
  parentPort?.postMessage(reply);
}
