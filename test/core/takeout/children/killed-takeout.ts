import { writeSync } from 'node:fs';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { readDataExport } from '../../../../electron/core/takeout/read.ts';
import { writeDataExport } from '../../../../electron/core/takeout/write.ts';
import { TAKEOUT_NOW, takeoutPorts } from '../../../support/takeout-ports.ts';

/* Writes an export or imports one, and ends as a power cut does at the step that was named. */

export interface KilledTakeout {
  readonly what: 'write' | 'import';
  readonly file: string;
  /** Key of the data file (hexadecimal). */
  readonly key: string;
  readonly folder: string;
  readonly killAt: number;
}

const order = JSON.parse(process.argv[2] ?? '') as KilledTakeout;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps !== order.killAt) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

const key = Buffer.from(order.key, 'hex');
const ports = takeoutPorts(
  createStores(openDatabase({ file: order.file, key, now: TAKEOUT_NOW })),
  step,
);
const { signal } = new AbortController();
const report = (): void => undefined;
await (order.what === 'write'
  ? writeDataExport(ports, order.folder, signal, report)
  : readDataExport(ports, order.folder, true, signal, report));
writeSync(2, `It ended after ${steps} steps`);
process.exit(0);
