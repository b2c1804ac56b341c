import pg from 'pg';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import { statementsOf } from '../../../electron/adapters/office/statements.ts';
import { createSeeded } from '../../support/seeded.ts';

/** Side, one of two, whose statement is next. */
export type Turn = 0 | 1;

interface Side {
  /** Statement that waits for its turn; null if none is waiting. */
  asked: (() => Promise<unknown>) | null;
  running: Promise<unknown> | null;
  isEnded: boolean;
  readonly pid: number;
}

/** A server on which each statement of a side waits for its turn. */
interface Stepped {
  readonly server: Transactions;
  readonly side: Side;
  close(): Promise<void>;
}

export interface InterleavedRun<Result> {
  /** Side whose statement ran, for each step. */
  readonly turns: readonly Turn[];
  readonly results: readonly [PromiseSettledResult<Result>, PromiseSettledResult<Result>];
}

type Connect = () => Promise<pg.Client>;
type Work<Result> = (server: Transactions) => Promise<Result>;

/** Tried orders: all, or this number in a fixed random sample. */
export type Orders = 'all' | { readonly seed: number; readonly count: number };

/** Chooses the side of a step in which both sides could continue. */
type Choose = (step: number) => Turn;

interface Run<Result> extends InterleavedRun<Result> {
  /** Whether the other side could have run, for each step. */
  readonly chosen: readonly boolean[];
}

interface Pair<Result> {
  readonly before: () => Promise<void>;
  readonly both: readonly [Work<Result>, Work<Result>];
}

/**
 * Runs two tasks once for each order in which their statements can reach the database, or for a
 * sample of these orders. A statement that waits for a lock of the other task continues once the
 * lock is free, as in practice. Returns the number of runs.
 */
export async function inOrders<Result>(
  connect: readonly [Connect, Connect],
  orders: Orders,
  { before, both }: Pair<Result>,
  check: (run: InterleavedRun<Result>) => Promise<void> | void,
): Promise<number> {
  const sides = [await stepped(connect[0]), await stepped(connect[1])] as const;
  const watch = await connect[0]();
  const next = orders === 'all' ? each() : drawn(orders);
  let runs = 0;
  try {
    for (let choose = next(null); choose !== null; runs += 1) {
      await before();
      const run = await inOrder(sides, watch, both, choose);
      await check(run);
      choose = next(run);
    }
    return runs;
  } finally {
    await Promise.all([watch.end(), ...sides.map((side) => side.close())]);
  }
}

/** Returns the order of the next run; null if all orders were run. */
type Next = (last: Run<unknown> | null) => Choose | null;

/** Goes through all orders: gives the last free step to the other side, until all have changed. */
function each(): Next {
  const following = (prefix: readonly Turn[]): Choose => {
    return (step) => prefix[step] ?? 0;
  };
  return (last) => {
    if (last === null) return following([]);
    const at = last.turns.findLastIndex((turn, step) => turn === 0 && last.chosen[step] === true);
    return at < 0 ? null : following([...last.turns.slice(0, at), 1]);
  };
}

/** Starts with one side after the other, in both orders; then draws random orders. */
function drawn({ seed, count }: Exclude<Orders, 'all'>): Next {
  const chance = createSeeded(seed);
  let left = count;
  return () => {
    left -= 1;
    if (left < 0) return null;
    if (left >= count - 2) return () => (left === count - 1 ? 0 : 1);
    return () => chance.pick([0, 1]);
  };
}

async function inOrder<Result>(
  sides: readonly [Stepped, Stepped],
  watch: pg.Client,
  both: readonly [Work<Result>, Work<Result>],
  choose: Choose,
): Promise<Run<Result>> {
  const turns: Turn[] = [];
  const chosen: boolean[] = [];
  const begun = async (at: Turn): Promise<Result> => {
    const { server, side } = sides[at];
    side.isEnded = false;
    try {
      return await both[at](server);
    } finally {
      side.isEnded = true;
    }
  };
  const settled = Promise.allSettled([begun(0), begun(1)]);
  for (;;) {
    const can: Turn[] = [];
    for (const turn of [0, 1] as const) if (await mayGo(sides[turn].side, watch)) can.push(turn);
    const [first] = can;
    if (first === undefined) break;
    const wished = choose(turns.length);
    const turn = can.includes(wished) ? wished : first;
    turns.push(turn);
    chosen.push(can.length === 2);
    await step(sides[turn].side, watch);
  }
  return { turns, chosen, results: await settled };
}

/** Resolves when the side requests its next statement (true), waits for a lock, or has ended. */
async function mayGo(side: Side, watch: pg.Client): Promise<boolean> {
  for (;;) {
    await tick();
    if (side.isEnded) return false;
    if (side.asked !== null) return true;
    if (side.running !== null && (await isBlocked(side, watch))) return false;
  }
}

async function step(side: Side, watch: pg.Client): Promise<void> {
  const ask = side.asked;
  side.asked = null;
  if (ask === null) return;
  let isOver = false;
  side.running = ask().finally(() => {
    isOver = true;
    side.running = null;
  });
  side.running.catch(() => undefined);
  while (!isOver && !(await isBlocked(side, watch))) await tick();
}

async function isBlocked({ pid }: Side, watch: pg.Client): Promise<boolean> {
  const { rows } = await watch.query<{ blocked: boolean }>(
    'SELECT cardinality(pg_blocking_pids($1)) > 0 AS blocked',
    [pid],
  );
  return rows[0]?.blocked ?? false;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function stepped(connect: Connect): Promise<Stepped> {
  const client = await connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const side: Side = { asked: null, running: null, isEnded: false, pid: rows[0]?.pid ?? 0 };
  const inTurn = <Result>(statement: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      side.asked = async () => {
        try {
          resolve(await statement());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
    });
  const within = statementsOf((sql, values) => inTurn(() => client.query(sql, values)));
  return {
    side,
    server: {
      ...within,
      async transaction(work) {
        await inTurn(() => client.query('BEGIN'));
        try {
          const result = await work(within);
          await inTurn(() => client.query('COMMIT'));
          return result;
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        }
      },
    },
    close: () => client.end(),
  };
}
