import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors.ts';
import { withStorageErrors } from '../database/storage-errors.ts';
import { type RescueReply, RescueTask } from './messages.ts';
import { salvage } from './salvage.ts';

/* Reads a damaged data file beside the main loop, and ends. */

function post(reply: RescueReply): void {
  parentPort?.postMessage(reply);
}

try {
  const value = withStorageErrors(() =>
    salvage(RescueTask.parse(workerData), (done, all) => post({ kind: 'pages', done, all })),
  );
  post({ kind: 'done', value });
} catch (error) {
  const failure = error instanceof AppError ? error.failure : null;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ kind: 'failed', failure, stack });
}
