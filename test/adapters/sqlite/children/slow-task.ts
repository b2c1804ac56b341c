import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { serveData } from '../../../../electron/adapters/sqlite/database/serve-data.ts';

/* A test thread that takes long to start, and records that it has loaded SQLite. */

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
writeFileSync(String(workerData), '');
serveData({ nothing: () => {} });
