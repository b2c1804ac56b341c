import type { BenchRow } from '../../build/bench.ts';
import type { Batch } from '../../shared/contract/batches.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  startBatchDesk,
} from '../support/desks/batch-desk.ts';
import { median } from './median.ts';

export const name =
  'batch: what a person does to one of 10,000 rows, processor time of the main loop';

const ROWS = 10_000;
const TIMES = 9;
/** Number of rows in one page of the window. */
const PAGE = 200;
/** Goal: a change takes at most as long as reading all rows once, which is about 20 ms. */
const CHANGE_GOAL = 1;
const PAGE_GOAL = 0.25;

export async function run(): Promise<readonly BenchRow[]> {
  using started = await startBatchDesk();
  const { desk } = started;
  // Moves the fake clock by 0 ms, so that work continues that only lets other work run first.
  const goOn = setInterval(() => desk.clock.advance(0), 1);
  try {
    const batch = await addBatch(started, await addLease(desk), people(ROWS));
    await desk.api['batches.check']({ id: batch.id });
    return await measured(started, batch);
  } finally {
    clearInterval(goOn);
    await desk.desk.stop();
  }
}

async function measured({ desk, world }: BatchDesk, { id }: Batch): Promise<readonly BenchRow[]> {
  const { api } = desk;
  const base = await spent(async () => world.stores.batches.rows(id));
  const page = await spent((at) =>
    api['batches.rows']({ id, filter: 'ready', offset: at * PAGE, limit: PAGE }),
  );
  const edit = await spent((at) =>
    api['batches.edit']({ id, edits: [{ row: 100 + at, column: 0, text: `Bo ${String(at)}` }] }),
  );
  const exclude = await spent((at) =>
    api['batches.exclude']({ id, rows: [100 + at], isExcluded: true }),
  );
  return [
    { what: 'a page of 200 rows / reading all rows', ours: page, base, goal: PAGE_GOAL },
    { what: 'one cell changed / reading all rows', ours: edit, base, goal: CHANGE_GOAL },
    { what: 'one row left out / reading all rows', ours: exclude, base, goal: CHANGE_GOAL },
  ];
}

/** Time of this thread alone (ms), so that other work of the computer does not count. */
async function spent(work: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < TIMES; at += 1) {
    const before = process.threadCpuUsage();
    await work(at);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}
