import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPace } from '../../../../electron/adapters/sqlite/copies/pace.ts';
import {
  type CopyStores,
  type WritePace,
  PageWriter,
} from '../../../../electron/adapters/sqlite/copies/page-writer.ts';
import {
  createWriteTurn,
  createYieldingTurn,
  createSharedTurn,
} from '../../../../electron/adapters/sqlite/database/turn.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import type { CopyPage } from '../../../../electron/core/sync/ports.ts';
import { newConnection, remote } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';

const connection = newConnection();
const BETWEEN = 5;

let place: TempDatabase;
beforeEach(() => {
  place = tempDatabase();
  place.stores.connections.save(connection);
});
afterEach(() => place[Symbol.dispose]());

/** Returns the page of a full reading with the number `pages`. */
function page(pages: number, agreements: number): CopyPage {
  const items = Array.from({ length: agreements }, () => remote());
  const full = { startedAt: NOW, serverTime: NOW, total: 900, place: { position: pages, pages } };
  return { connectionId: connection.id, api: 'v1', items, readAt: NOW, full };
}

const paced = (most: number, change: Partial<WritePace> = {}): WritePace => ({
  most: () => most,
  pages: 10,
  between: BETWEEN,
  isOver: () => false,
  committed: () => {},
  ...change,
});

const count = () => place.stores.sync.countSeenSince(connection.id, 0);
const pagesRead = () => place.stores.sync.full(connection.id)?.place?.pages ?? 0;

/** Returns the stores, with counters for commits and `put` calls. */
function watched(atPut: (puts: number) => void = () => {}) {
  const { sync, agreements, quickTransaction } = place.stores;
  const seen = { commits: 0, puts: 0 };
  const stores: CopyStores = {
    sync,
    quickTransaction: (work) => {
      seen.commits += 1;
      return quickTransaction(work);
    },
    agreements: {
      ...agreements,
      put: (...given) => {
        seen.puts += 1;
        atPut(seen.puts);
        return agreements.put(...given);
      },
    },
  };
  return { stores, seen };
}

it('several pages of agreements are written in one commit, and each reports its number of new agreements', async () => {
  const { stores, seen } = watched();
  const writer = new PageWriter(stores, paced(250));
  const first = page(1, 100);
  const written = [first, page(2, 100), { ...page(3, 100), items: first.items }].map((one) =>
    writer.add(one),
  );
  writer.step();
  expect([seen.commits, count(), pagesRead()]).toEqual([1, 200, 2]);
  writer.step();
  expect(writer.isIdle).toBe(true);
  expect(await Promise.all(written)).toEqual([
    { added: 100, changed: 100 },
    { added: 100, changed: 100 },
    { added: 0, changed: 0 },
  ]);
  expect([seen.commits, count(), pagesRead()]).toEqual([2, 200, 3]);
});

it('a page of agreements, even an empty one, counts as read once all its agreements are written', async () => {
  const writer = new PageWriter(place.stores, paced(30));
  const written = [writer.add(page(1, 40)), writer.add(page(2, 0))];
  writer.step();
  expect([count(), pagesRead()]).toEqual([30, 0]);
  writer.step();
  expect([count(), pagesRead()]).toEqual([40, 2]);
  expect(await Promise.all(written)).toHaveLength(2);
});

it('the pages of agreements that follow a failed page are not stored', async () => {
  const writer = new PageWriter(place.stores, paced(10));
  const [good] = page(0, 1).items;
  if (good === undefined) throw new RangeError('no agreement');
  const bad = { ...page(2, 0), items: [good, { ...remote(), state: 'lost' as never }] };
  const written = [writer.add(page(1, 10)), writer.add(bad), writer.add(page(3, 10))];
  writer.step();
  writer.step();
  expect(writer.isIdle).toBe(true);
  const ends = await Promise.allSettled(written);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect([count(), pagesRead()]).toEqual([10, 1]);
});

it('a failed page of one connection does not stop the pages of other connections', async () => {
  const writer = new PageWriter(place.stores, paced(250));
  const removed = { ...page(1, 10), connectionId: newConnection().id };
  const ends = Promise.allSettled([
    writer.add(removed),
    writer.add(page(1, 10)),
    writer.add(removed),
  ]);
  writer.step();
  writer.step();
  expect(writer.isIdle).toBe(true);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect((await ends)[0]).toMatchObject({ reason: { failure: { code: 'not-found' } } });
  expect([count(), pagesRead()]).toEqual([10, 1]);
});

describe('agreements that are written next to the main loop', () => {
  it('delay a send by at most five agreements: started work is rolled back and repeated', () => {
    const shared = createSharedTurn();
    const [main, thread] = [createWriteTurn(shared), createYieldingTurn(shared)];
    const sending = openDatabase({ ...place, now: NOW });
    // The main loop requests a write during the third `put` of the thread.
    const { stores, seen } = watched((puts) => {
      if (puts === 3) main.take();
    });
    const pace = createPace(thread.isWanted);
    const most: number[] = [];
    const writer = new PageWriter(stores, {
      ...pace,
      most: () => {
        most.push(pace.most());
        return pace.most();
      },
    });
    void writer.add(page(1, 100));
    thread.inside(() => writer.step());
    expect(seen.puts).toBe(3);
    expect(count()).toBe(0);
    // The main loop gets the lock immediately, and keeps it as long as needed.
    expect(createStores(sending).settings.write({ theme: 'dark' }).theme).toBe('dark');
    main.give();
    while (!writer.isIdle) thread.inside(() => writer.step());
    expect([count(), pagesRead()]).toEqual([100, 1]);
    expect(most[1]).toBeLessThanOrEqual((most[0] ?? 0) / 4);
    sending.close();
  });

  it('are not blocked by a process that writes constantly', () => {
    const pace = createPace(() => true);
    const writer = new PageWriter(place.stores, pace);
    void writer.add(page(1, 25));
    for (let steps = 0; steps < 20 && !writer.isIdle; steps += 1) writer.step();
    expect([count(), writer.isIdle]).toEqual([25, true]);
  });

  it('are committed in larger groups on a fast disk, and in smaller groups on a slow disk', () => {
    const pace = createPace(() => false);
    for (let commits = 0; commits < 20; commits += 1) pace.committed(pace.most(), 0.2);
    const fast = pace.most();
    for (let commits = 0; commits < 20; commits += 1) pace.committed(pace.most(), pace.most() / 10);
    expect(fast).toBe(400);
    expect(pace.most()).toBeLessThanOrEqual(26);
  });
});
