import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as z from 'zod';
import { createDirectCopies } from '../../../electron/adapters/sqlite/copies/direct.ts';
import { writeCopiesInThread } from '../../../electron/adapters/sqlite/copies/thread.ts';
import { systemClock, systemScheduler } from '../../../electron/adapters/system/platform.ts';
import { checkpointInThread } from '../../../electron/adapters/sqlite/open/checkpoints.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { createSyncing } from '../../support/desks/syncing.ts';

/*
 * Reads everything of one connection, or its changes. Prints the time, the memory in use after it,
 * and the longest time for which the main loop was blocked.
 */

const Order = z.object({
  api: z.enum(['v1', 'v2']),
  place: z.object({
    v1Url: z.string(),
    v2Url: z.string(),
    credentials: z.object({ token: z.string(), accessKey: z.string(), accountId: z.string() }),
  }),
  /** Number of readings of changes after the first reading. */
  again: z.number(),
});

const { api, place, again } = Order.parse(JSON.parse(process.argv[2] ?? ''));
using desk = tempDatabase();
const checkpoints = checkpointInThread(desk.database, desk);
const copies = writeCopiesInThread(desk.database, {
  file: desk.file,
  key: desk.key,
  direct: createDirectCopies(desk.stores, systemScheduler),
  committed: () => checkpoints.committed(),
});
const syncing = createSyncing(desk.stores, place, systemClock, () => null, copies);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const start = performance.now();
const { received, requests, failure } = await syncing.run(api, true);
const read = performance.now() - start;
await syncing.tend();
const milliseconds = performance.now() - start;
delay.disable();
if (failure !== null) throw new Error(failure.message);
const changes: number[] = [];
for (let count = 0; count < again; count += 1) {
  const before = performance.now();
  await syncing.run(api);
  changes.push(performance.now() - before);
}
await copies.close();
await checkpoints.close();
const { rss } = process.memoryUsage();
const longest = delay.max / 1e6;
const ninetyNine = delay.percentile(99) / 1e6;
process.stdout.write(
  JSON.stringify({ received, requests, read, milliseconds, longest, ninetyNine, rss, changes }),
);
