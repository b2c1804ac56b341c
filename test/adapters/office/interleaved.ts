import pg from 'pg';
import type { OfficeServer } from '../../../electron/adapters/office/server.ts';
import { statementsOf } from '../../../electron/adapters/office/statements.ts';

/** Whose statement is next. */
export type Turn = 0 | 1;

interface Side {
  /** Null while none is asked. */
  asked: (() => Promise<unknown>) | null;
  running: Promise<unknown> | null;
  isEnded: boolean;
  readonly pid: number;
}

/** A server each statement of which waits for its turn. */
interface Stepped {
  readonly server: OfficeServer;
  readonly side: Side;
  close(): Promise<void>;
}

export interface InterleavedRun<Result> {
  /** Whose statement each step was: the prefix of a next run. */
  readonly turns: readonly Turn[];
  readonly results: readonly [PromiseSettledResult<Result>, PromiseSettledResult<Result>];
}

type Work<Result> = (server: OfficeServer) => Promise<Result>;

/**
 * Runs two pieces of work once for every order in which their statements can reach the database. A
 * statement that waits for the other's lock goes on once that is free, as it would in life.
 */
export async function everyOrder<Result>(
  connect: () => Promise<pg.Client>,
  {
    before,
    both,
  }: { readonly before: () => Promise<void>; readonly both: [Work<Result>, Work<Result>] },
  check: (run: InterleavedRun<Result>) => Promise<void> | void,
): Promise<number> {
  const sides = [await stepped(connect), await stepped(connect)] as const;
  const watch = await connect();
  let runs = 0;
  try {
    for (let prefix: readonly Turn[] | null = []; prefix !== null; runs += 1) {
      await before();
      const run: InterleavedRun<Result> & { readonly chosen: readonly boolean[] } = await inOrder(
        sides,
        watch,
        both,
        prefix,
      );
      await check(run);
      prefix = nextPrefix(run);
    }
    return runs;
  } finally {
    await Promise.all([watch.end(), ...sides.map((side) => side.close())]);
  }
}

/** The last step that could have been the other's becomes the other's; null once all have been. */
function nextPrefix({
  turns,
  chosen,
}: {
  readonly turns: readonly Turn[];
  readonly chosen: readonly boolean[];
}): readonly Turn[] | null {
  const last = turns.findLastIndex((turn, at) => turn === 0 && chosen[at] === true);
  return last < 0 ? null : [...turns.slice(0, last), 1];
}

async function inOrder<Result>(
  sides: readonly [Stepped, Stepped],
  watch: pg.Client,
  both: readonly [Work<Result>, Work<Result>],
  prefix: readonly Turn[],
): Promise<InterleavedRun<Result> & { readonly chosen: readonly boolean[] }> {
  const turns: Turn[] = [];
  const chosen: boolean[] = [];
  const works = sides.map(({ server, side }, at) => {
    side.isEnded = false;
    return (both[at] as Work<Result>)(server).finally(() => void (side.isEnded = true));
  }) as [Promise<Result>, Promise<Result>];
  const settled = Promise.allSettled(works);
  for (;;) {
    const can: Turn[] = [];
    for (const turn of [0, 1] as const) if (await mayGo(sides[turn].side, watch)) can.push(turn);
    const [first] = can;
    if (first === undefined) break;
    const wished = prefix[turns.length] ?? 0;
    const turn = can.includes(wished) ? wished : first;
    turns.push(turn);
    chosen.push(can.length === 2);
    await step(sides[turn].side, watch);
  }
  return { turns, chosen, results: await settled };
}

/** Resolves once the side asks for its next statement (true), waits for a lock, or has ended. */
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

async function stepped(connect: () => Promise<pg.Client>): Promise<Stepped> {
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
      close: async () => undefined,
    },
    close: () => client.end(),
  };
}
