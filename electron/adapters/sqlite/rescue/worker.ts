import { workerData } from 'node:worker_threads';
import { doTask } from '../database/task-worker.ts';
import { type PagesRead, RescueTask } from './messages.ts';
import { salvage } from './salvage.ts';

/* Reads a damaged data file beside the main loop, and ends. */

doTask((onProgress) =>
  salvage(RescueTask.parse(workerData), (done, all) =>
    onProgress({ done, all } satisfies PagesRead),
  ),
);
