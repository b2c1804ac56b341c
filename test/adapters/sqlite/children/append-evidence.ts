import { existsSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';

/**
 * Writes one entry of the evidence log. Between reading the last entry and writing its own, it
 * pauses until the file `written` exists, for at most a second. Reports the result.
 */
const [, , file = '', key = '', inside = '', written = ''] = process.argv;
/** Longest pause (ms): well below the other process's timeout for the write lock. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_STEP_MS = 10;
const database = openDatabase({ file, key: Buffer.from(key, 'hex'), now: Date.now() });
const { evidence } = createStores(database);
const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let answer: string;
try {
  const { hash } = evidence.append((last) => {
    writeFileSync(inside, '');
    const end = performance.now() + MAX_PAUSE_MS;
    while (performance.now() < end && !existsSync(written))
      Atomics.wait(pause, 0, 0, PAUSE_STEP_MS);
    return { number: (last?.number ?? 0) + 1, text: '{"by":"child"}', hash: 'of the child' };
  });
  answer = hash;
} catch (error) {
  answer = String(error);
}
database.close();
process.send?.(answer);
process.disconnect();
