import { describe, expect, it } from 'vitest';
import type { ChangePage } from '../../../electron/core/ports.ts';
import { type Listing, scanListing } from '../../../electron/core/sync/scan.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { createSeeded } from '../../support/seeded.ts';

const SIZE = 5;
const { signal } = new AbortController();

/** A paged list that changes; `between` runs before each page except the first. */
function moving(ids: string[], between: (page: number, ids: string[]) => void = () => {}) {
  const taken = new Set<string>();
  const madeAt = new Map<string, number>();
  const start = new Set(ids);
  const asked: number[] = [];
  const pages: Listing['pages'] = async function* (place) {
    for (let number = place?.pages ?? 1; ; number += 1) {
      if (asked.length > 0) between(asked.length, ids);
      asked.push(number);
      for (const id of ids)
        if (!start.has(id) && !madeAt.has(id)) madeAt.set(id, asked.length * 1000);
      const shown = ids.slice((number - 1) * SIZE, number * SIZE);
      const page: ChangePage = {
        items: shown.map((id) => remoteOf({ id, createdAt: madeAt.get(id) ?? 0 })),
        total: ids.length,
        serverTime: asked.length * 1000,
        place: { position: number, pages: number },
      };
      yield page;
      if (shown.length === 0 || number * SIZE >= ids.length) return;
    }
  };
  const take = ({ items }: ChangePage) => {
    for (const { id } of items) taken.add(id);
  };
  const enteredAt: Listing['enteredAt'] = ({ createdAt }) => createdAt;
  const listing: Listing = { pages, left: null, take, enteredAt };
  return { listing, taken, asked };
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `a${String(at)}`);

describe('a complete reading of a list by pages', () => {
  it('reads a list only once if it does not change', async () => {
    const { listing, taken, asked } = moving(named(12));
    expect(await scanListing(listing, signal)).toEqual({ serverTime: 1000, total: 12, pages: 3 });
    expect([taken.size, asked]).toEqual([12, [1, 2, 3]]);
  });

  it('loses no item if read items are deleted and the following items move up (T1-15)', async () => {
    const { listing, taken, asked } = moving(named(20), (page, ids) => {
      if (page === 1) ids.splice(0, 2);
    });
    await scanListing(listing, signal);
    expect([...taken]).toEqual(expect.arrayContaining(named(20).slice(2)));
    expect(asked).toEqual([1, 2, 1, 2, 3, 4]);
  });

  it('goes one page back if one page of items is deleted (T1-15)', async () => {
    const { listing, taken, asked } = moving(named(20), (page, ids) => {
      if (page === 2) ids.splice(0, SIZE);
    });
    await scanListing(listing, signal);
    expect([...taken]).toEqual(expect.arrayContaining(named(20).slice(SIZE)));
    expect(asked).toEqual([1, 2, 3, 2, 3]);
  });

  it('starts again if more than one page of items is deleted (T1-15)', async () => {
    const { listing, taken } = moving(named(40), (page, ids) => {
      if (page === 3) ids.splice(0, 12);
    });
    await scanListing(listing, signal);
    expect([...taken]).toEqual(expect.arrayContaining(named(40).slice(12)));
  });

  it('loses no item if new items of unknown age outnumber a page of deletions (TE-S05)', async () => {
    const { listing, taken, asked } = moving(named(40), (page, ids) => {
      if (page === 3) ids.splice(0, 12);
      if (page === 4) ids.push(...Array.from({ length: 7 }, (_, at) => `new-${String(at)}`));
    });
    // Without dates from the service, new items count like older ones.
    await scanListing({ ...listing, enteredAt: () => null }, signal);
    expect([...taken]).toEqual(expect.arrayContaining(named(40).slice(12)));
    expect(asked).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('loses no item if a read item moves to the end and the total is unchanged (T2-26)', async () => {
    const { listing, taken } = moving(named(20), (page, ids) => {
      if (page === 2) ids.push(...ids.splice(0, 3));
    });
    await scanListing(listing, signal);
    expect(taken.size).toBe(20);
  });

  it('counts a repeated item once, and does not wait for new items (T1-15, T2-26)', async () => {
    const { listing, taken, asked } = moving(named(20), (page, ids) => {
      if (page === 2) ids.unshift('new');
    });
    await scanListing(listing, signal);
    expect([...taken]).toEqual(named(20));
    expect(asked).toEqual([1, 2, 3, 4, 5]);
  });

  it('does not mistake new items for missed ones (T2-26)', async () => {
    const { listing, taken } = moving(named(20), (page, ids) => {
      if (page === 2) ids.push(...ids.splice(0, 3), 'new');
    });
    await scanListing(listing, signal);
    expect([...taken]).toEqual(expect.arrayContaining(named(20)));
  });

  it('relies on the list, not on the total, if the same items are missing twice', async () => {
    const { listing, asked } = moving(named(10));
    const counting: Listing = {
      ...listing,
      pages: async function* (place) {
        for await (const page of listing.pages(place)) yield { ...page, total: 11 };
      },
    };
    expect(await scanListing(counting, signal)).toMatchObject({ total: 11 });
    expect(asked).toEqual([1, 2, 1, 2]);
  });

  it('ends even if more items are deleted during every reading', async () => {
    let [round, isDone] = [1, false];
    const { listing, taken, asked } = moving(named(20), (_, ids) => {
      if (isDone || asked.at(-1) !== 1) return;
      ids.splice(-round);
      isDone = true;
    });
    const settle = async () => {
      [round, isDone] = [round + 1, false];
    };
    expect(await scanListing({ ...listing, settle }, signal)).toMatchObject({ total: 14 });
    expect([...taken]).toEqual(named(19));
  });

  it('reports a list that never stops changing', async () => {
    const { listing } = moving(named(20));
    let total = 30;
    const uncounted: Listing = {
      ...listing,
      pages: async function* (place) {
        for await (const page of listing.pages(place)) yield { ...page, total: (total += 1) };
      },
    };
    await expect(scanListing(uncounted, signal)).rejects.toMatchObject({
      failure: { code: 'service' },
    });
  });

  it('continues from the page where it was stopped', async () => {
    const { listing, asked } = moving(named(20));
    const place = { position: 3, pages: 3 };
    await scanListing({ ...listing, left: { place, total: 20, taken: () => 20 } }, signal);
    expect(asked).toEqual([3, 4]);
  });

  it('starts again if the list ends before the page where it was stopped', async () => {
    const { listing, taken, asked } = moving(named(7));
    const place = { position: 9, pages: 9 };
    await scanListing({ ...listing, left: { place, total: 45, taken: () => 45 } }, signal);
    expect([taken.size, asked]).toEqual([7, [9, 1, 2]]);
  });
});

/** Simulates people who delete, send and sign during the reading. */
function work(random: (below: number) => number, ids: string[], touched: Set<string>): void {
  const at = random(ids.length);
  const [one] = ids.slice(at, at + 1);
  if (one === undefined) return;
  const deed = random(5);
  if (deed === 2) ids.unshift(`new-${String(ids.length)}-${one}`);
  if (deed > 1) return;
  ids.splice(at, 1);
  touched.add(one);
  // After a signature the changed item is at one end of the list.
  if (deed === 1) ids.splice(random(2) * ids.length, 0, one);
}

describe('a list that changes while it is read', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'is read without losing an unchanged item, in any order: case %i (T1-15, T2-26)',
    async (seed) => {
      const { whole } = createSeeded(seed + 1);
      const random = (below: number) => whole(0, below - 1);
      const touched = new Set<string>();
      let deeds = 0;
      const start = named(60);
      const { listing, taken } = moving([...start], (_page, ids) => {
        if ((deeds += 1) <= 12) work(random, ids, touched);
      });
      await scanListing(listing, signal);
      expect(start.filter((id) => !taken.has(id) && !touched.has(id))).toEqual([]);
    },
  );
});
