import { createDirectCopies } from '../../../../electron/adapters/sqlite/copies/direct.ts';
import { writeCopiesInThread } from '../../../../electron/adapters/sqlite/copies/thread.ts';
import { checkpointInThread } from '../../../../electron/adapters/sqlite/open/checkpoints.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { systemClock, systemScheduler } from '../../../../electron/adapters/system/platform.ts';
import type { CopyWriter, Stores } from '../../../../electron/core/ports.ts';
import { createSyncing, type Place } from '../../../support/desks/syncing.ts';

/* Reads all agreements of both connections once, and prints the number of requests. */

/** Point of a simulated SIGKILL: before or after the n-th call of a store or other writer. */
export interface KillPoint {
  /** Store or writer; `all`: a transaction of several stores; `row`: a row of a page. */
  readonly store: 'agreements' | 'sync' | 'connections' | 'all' | 'row' | 'copies';
  readonly method: string;
  readonly use: number;
  readonly when: 'before' | 'after';
}

interface Order {
  readonly file: string;
  readonly key: string;
  readonly place: Place;
  readonly kill: KillPoint | null;
  /** Whether copies are written in a thread, as in the program, or in the main loop. */
  readonly isThreaded: boolean;
}

const order = JSON.parse(process.argv[2] ?? '') as Order;
const place = { file: order.file, key: Buffer.from(order.key, 'hex') };
const database = openDatabase({ ...place, now: Date.now() });

/** Counts the calls of a method, and ends the process at the given one. */
function deadly<Result>(point: KillPoint, work: () => Result, used: { count: number }): Result {
  used.count += 1;
  const isNow = used.count === point.use;
  if (isNow && point.when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = work();
  if (isNow && point.when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
}

function watched<Target extends object>(target: Target, point: KillPoint): Target {
  const used = { count: 0 };
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (name !== point.method || typeof value !== 'function') return value;
      return (...given: readonly unknown[]) =>
        deadly(point, () => Reflect.apply(value, of, [...given]) as unknown, used);
    },
  });
}

function storesFor(point: KillPoint | null): Stores {
  if (point === null || point.store === 'copies') return createStores(database);
  if (point.store !== 'row') {
    const stores = createStores(database);
    if (point.store === 'all') return watched(stores, point);
    return { ...stores, [point.store]: watched(stores[point.store], point) };
  }
  // Ends the process within a page, at one of the rows that the page's transaction writes.
  const used = { count: 0 };
  const command: typeof database.command = (sql) => {
    const run = database.command(sql);
    if (!sql.includes(point.method)) return run;
    return (values) => deadly(point, () => run(values), used);
  };
  return createStores({ ...database, command });
}

const stores = storesFor(order.kill);
const checkpoints = checkpointInThread(database, place);
const direct = createDirectCopies(stores, systemScheduler);
const thread = writeCopiesInThread(database, {
  ...place,
  direct,
  committed: () => checkpoints.committed(),
});
const whole: CopyWriter = order.isThreaded ? thread : direct;
const copies = order.kill?.store === 'copies' ? watched(whole, order.kill) : whole;
const syncing = createSyncing(stores, order.place, systemClock, () => null, copies);
const outcomes = await syncing.runBoth(true);
await thread.close();
await checkpoints.close();
process.stdout.write(
  JSON.stringify(outcomes.map(({ requests, failure }) => ({ requests, failure }))),
);
database.close();
