import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { serveData } from '../../../../electron/adapters/sqlite/database/serve-data.ts';

/* A thread that takes its time until SQLite is loaded in it, and notes that it came so far. */

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
writeFileSync(String(workerData), '');
serveData({ nothing: () => {} });
