import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import type { OpenOperation } from '../../../electron/core/office/ports.ts';
import type { StoredItem } from '../../../electron/core/outbox/ports.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { type DataFolder, openLeft } from '../invariants.ts';

/** Outcome of every row, according to the service and all computers. */
export interface OfficeVerdict {
  readonly rows: number;
  readonly posts: number;
  /** Number of sends that one computer has settled for another. */
  readonly adopted: number;
  /** Number of decisions of a person to send a row again. */
  readonly resent: number;
  /** Agreements in addition to one for each row and each decision to send it again. */
  readonly twice: readonly string[];
  /** Rows that the service neither has nor refused. */
  readonly lost: readonly string[];
  /** Rows and claims that are not settled. */
  readonly stuck: readonly string[];
  /** Differences between a computer and the service. */
  readonly wrong: readonly string[];
}

interface Left {
  readonly demo: Demo;
  readonly desks: readonly DataFolder[];
  /** Index of the computer that did not come back; null if all did. */
  readonly gone: number | null;
  readonly rows: number;
  readonly open: readonly Pick<OpenOperation, 'id' | 'state'>[];
}

interface Row {
  readonly desk: number;
  readonly item: StoredItem;
  /** Each step with the time of its computer's clock, for the person who looks for the fault. */
  readonly steps: readonly string[];
  /** Number of resends that a person decided. */
  readonly again: number;
}

/** Checks the agreements on the service and the data of every computer. */
export async function judgeOffice({ demo, desks, gone, rows, open }: Left): Promise<OfficeVerdict> {
  const all = (await Promise.all(desks.map((desk, at) => rowsOf(desk, at)))).flat();
  // A lost computer knows only the state at its end.
  const back = all.filter(({ desk }) => desk !== gone);
  const byTitle = Map.groupBy(all, ({ item }) => item.title);
  const made = Map.groupBy(demo.agreements.v1(), ({ title }) => title);
  const again = (title: string) =>
    (byTitle.get(title) ?? []).reduce((sum, row) => sum + row.again, 0);
  const refused = new Set(
    all.flatMap(({ item: { state, title } }) => (state === 'rejected' ? [title] : [])),
  );
  return {
    rows,
    posts: demo.requests.filter(({ method, url }) => method === 'POST' && isCreate(url)).length,
    adopted: back.filter(({ item }) => isAdopted(item)).length,
    resent: all.reduce((sum, row) => sum + row.again, 0),
    twice: [...made].flatMap(([title, { length }]) =>
      length > 1 + again(title) ? [`${title}: ${told(byTitle.get(title) ?? [])}`] : [],
    ),
    lost: [...byTitle.keys()].filter((title) => !made.has(title) && !refused.has(title)),
    stuck: [
      ...back.flatMap(({ item }) => (isOver(item) ? [] : [`${item.title}: ${item.state}`])),
      ...open.map(({ id, state }) => `the claim of ${id}: ${state}`),
    ],
    wrong: [
      ...(byTitle.size === rows ? [] : [`${String(byTitle.size)} of ${String(rows)} rows`]),
      ...back.flatMap(({ item }) => wrongOf(item, made.get(item.title) ?? [])),
    ],
  };
}

/** Whether the row was adopted from another computer: a computer's own sends are in its batches. */
const isAdopted = ({ batchId }: StoredItem): boolean => batchId === null;

/**
 * Whether the row is settled; one given up for a lost computer has no other computer to wait for.
 */
function isOver(item: StoredItem): boolean {
  const { state, verify } = item;
  if (state === 'rejected') return !verify;
  return state === 'sent' || state === 'cancelled' || (state === 'abandoned' && isAdopted(item));
}

const isCreate = (url: string): boolean => url.endsWith('/agreements');

function wrongOf(
  { ref, title, state, remoteId }: StoredItem,
  made: ReturnType<Demo['agreements']['v1']>,
): readonly string[] {
  const mine = made.filter(({ tags }) => tags['desk.ref'] === ref);
  if (state === 'sent' && !mine.some(({ id }) => id === remoteId)) {
    return [`${title}: sent, and the service has ${String(mine.length)}`];
  }
  const isNone = state === 'rejected' || state === 'cancelled';
  return isNone && mine.length > 0 ? [`${title}: ${state}, and the service has it`] : [];
}

const told = (rows: readonly Row[]): string =>
  rows
    .map(({ desk, item, steps }) => `desk ${String(desk)}, ${item.ref}: ${steps.join(', ')}`)
    .join('; ');

async function rowsOf(desk: DataFolder, at: number): Promise<readonly Row[]> {
  const database = await openLeft(desk);
  try {
    const { outbox } = createStores(database);
    const items = [
      ...outbox.list(0),
      ...outbox.batches(0).flatMap(({ batchId }) => outbox.inBatch(batchId)),
    ];
    return items.map((item) => {
      const journal = outbox.journal(item.ref);
      const again = journal.filter(
        ({ from, to, actor }) => from === 'human' && to === 'queued' && actor === 'person',
      );
      const steps = journal.map(({ at: time, to, cause }) => `${String(time)} ${to} (${cause})`);
      return { desk: at, item, steps, again: again.length };
    });
  } finally {
    database.close();
  }
}
