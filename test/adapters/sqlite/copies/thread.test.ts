import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDirectCopies } from '../../../../electron/adapters/sqlite/copies/direct.ts';
import {
  type ThreadedCopies,
  writeCopiesInThread,
} from '../../../../electron/adapters/sqlite/copies/thread.ts';
import { systemScheduler } from '../../../../electron/adapters/system/platform.ts';
import type {
  CopyPage,
  CopyWriter,
  RetirementResult,
  RetirementPlace,
} from '../../../../electron/core/sync/ports.ts';
import { AgreementQuery } from '../../../../shared/contract/agreement-query.ts';
import { AppError } from '../../../../shared/errors.ts';
import { copyOf } from '../../../support/desks/syncing.ts';
import { newConnection, remote } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';

const connection = newConnection();
const WAIT = { timeout: 120_000 };

let place: TempDatabase;
let copies: ThreadedCopies;

beforeEach(() => {
  place = tempDatabase();
  place.stores.connections.save(connection);
  copies = threadOf(place);
});
afterEach(async () => {
  await copies.close();
  place[Symbol.dispose]();
});

function threadOf({ database, file, stores }: TempDatabase, key = place.key): ThreadedCopies {
  const direct = createDirectCopies(stores, systemScheduler);
  return writeCopiesInThread(database, { file, key, direct, committed: () => {} });
}

function pages(amount: number): CopyPage[] {
  return Array.from({ length: amount }, (_, index): CopyPage => {
    const items = Array.from({ length: 100 }, (_one, at) =>
      remote({ title: `Lease ${String(index)} ${String(at)}`, updatedAt: NOW - index * 100 - at }),
    );
    const where = { position: index, pages: index + 1 };
    const full = { startedAt: NOW, serverTime: NOW, total: amount * 100, place: where };
    return { connectionId: connection.id, api: 'v1', items, readAt: NOW, full };
  });
}

const isIndexed = async (writer: CopyWriter) => {
  while (!(await writer.buildIndex()));
};
const found = ({ stores }: TempDatabase) =>
  stores.agreements.list(AgreementQuery.parse({ search: 'lease', limit: 50 }), NOW);
const pagesRead = () => place.stores.sync.full(connection.id)?.place?.pages;

it(
  'the copy thread writes the same copies and index as the main loop, row by row',
  WAIT,
  async () => {
    using other = tempDatabase();
    other.stores.connections.save(connection);
    const direct = createDirectCopies(other.stores, systemScheduler);
    const all = pages(4);
    for (const writer of [copies, direct]) {
      writer.beginBulk();
      const written = await Promise.all(all.map((page) => writer.store(page)));
      expect(written).toEqual(all.map(() => ({ added: 100, changed: 100 })));
      writer.endBulk();
      await isIndexed(writer);
    }
    expect(copies.commits()).toBeGreaterThan(0);
    expect(copyOf(place.database, place.stores)).toEqual(copyOf(other.database, other.stores));
    expect(found(place)).toEqual(found(other));
    expect(pagesRead()).toBe(4);
  },
);

it('the main loop and the copy thread can write at the same time', WAIT, async () => {
  const written = pages(3).map((page) => copies.store(page));
  for (let write = 0; write < 40; write += 1) {
    place.stores.settings.write({ theme: write % 2 === 0 ? 'light' : 'dark' });
    await systemScheduler.yield();
  }
  await Promise.all(written);
  expect(place.stores.settings.read().theme).toBe('dark');
  expect(place.stores.sync.countSeenSince(connection.id, 0)).toBe(300);
});

it('a few agreements are written without starting the copy thread', WAIT, async () => {
  const [page] = pages(1);
  if (page === undefined) throw new RangeError('no page');
  await copies.store({ ...page, items: page.items.slice(0, 20) });
  expect(copies.commits()).toBe(0);
  expect(place.stores.sync.countSeenSince(connection.id, 0)).toBe(20);
});

it('a failure in the copy thread keeps its text, and no later page is stored', WAIT, async () => {
  const [first, second, third] = pages(3);
  if (first === undefined || second === undefined || third === undefined) throw new RangeError();
  await copies.store(first);
  // The data file rejects a row with this unknown status, in the middle of the page.
  const items = second.items.map((one, at) =>
    at === 70 ? { ...one, state: 'lost' as never } : one,
  );
  const bad = { ...second, items };
  const removed = { ...second, full: null, connectionId: newConnection().id };
  const ends = await Promise.allSettled([bad, removed, third].map((page) => copies.store(page)));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(ends[1]).toMatchObject({ reason: { failure: { code: 'not-found' } } });
  expect(ends[1]?.status === 'rejected' && ends[1].reason).toBeInstanceOf(AppError);
  expect(pagesRead()).toBe(1);
  // After the failure is reported, other pages are stored again.
  await copies.store(third);
  expect(pagesRead()).toBe(3);
});

it('requests to a copy thread that ended fail, and block no write', WAIT, async () => {
  const takeTurns = vi.spyOn(place.database, 'takeTurns');
  const lost = threadOf(place, place.key.toReversed());
  const [page] = pages(1);
  if (page === undefined) throw new RangeError('no page');
  await expect(lost.store(page)).rejects.toThrow('was lost');
  expect(takeTurns).toHaveBeenCalledTimes(2);
  place.stores.settings.write({ theme: 'dark' });
  await lost.close();
  await copies.store(page);
  expect(place.stores.sync.countSeenSince(connection.id, 0)).toBe(100);
});

it(
  'the copy thread removes the same agreements as the main loop, and only allowed ones',
  WAIT,
  async () => {
    using other = tempDatabase();
    other.stores.connections.save(connection);
    const direct = createDirectCopies(other.stores, systemScheduler);
    const [page] = pages(1);
    if (page === undefined) throw new RangeError('no page');
    const items = page.items.map((one, at) => {
      const closed = { updatedAt: NOW - at, closedAt: NOW - at };
      if (at % 4 === 0) return one;
      if (at % 4 === 1) return { ...one, ...closed, state: 'signed' as const };
      return { ...one, ...closed, state: 'rejected' as const };
    });
    for (const writer of [copies, direct]) {
      await writer.store({ ...page, items });
      await isIndexed(writer);
      let after: RetirementPlace | null = null;
      let [gone, steps] = [0, 0];
      do {
        const step: RetirementResult = await writer.retire({
          before: NOW - 50,
          after,
          limit: 10,
          at: NOW,
        });
        gone += step.removed;
        after = step.next;
        steps += 1;
      } while (after !== null);
      // Of the older half, the rejected agreements are removed. The signed ones stay, because
      // they are not archived.
      expect([gone, steps]).toEqual([25, 4]);
    }
    expect(place.stores.agreements.counts(undefined, NOW).all).toBe(75);
    expect(copyOf(place.database, place.stores)).toEqual(copyOf(other.database, other.stores));
    expect(found(place)).toEqual(found(other));
  },
);

it('the first step of a retention run starts no thread, and the next step does', WAIT, async () => {
  const closed = { state: 'rejected', updatedAt: NOW - 9, closedAt: NOW - 9 } as const;
  const items = Array.from({ length: 15 }, () => remote(closed));
  const page = { connectionId: connection.id, api: 'v1', items, readAt: NOW, full: null } as const;
  await copies.store(page);
  const order = { before: NOW, limit: 10, at: NOW };
  const first = await copies.retire({ ...order, after: null });
  expect([first.removed, copies.commits()]).toEqual([10, 0]);
  const second = await copies.retire({ ...order, after: first.next });
  expect(second).toEqual({ removed: 5, next: null });
  expect(copies.commits()).toBeGreaterThan(0);
});
