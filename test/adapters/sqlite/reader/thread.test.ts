import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  readInThread,
  type ThreadedReader,
} from '../../../../electron/adapters/sqlite/reader/thread.ts';
import {
  ageBuckets,
  upcomingIntervals,
  monthIntervals,
} from '../../../../shared/rules/board/stretches.ts';
import { createBoardStore } from '../../../../electron/adapters/sqlite/board/store.ts';
import { readDirectly } from '../../../../electron/adapters/sqlite/reader/direct.ts';
import type { AgreementLists } from '../../../../electron/core/agreements/ports.ts';
import {
  AgreementQuery,
  AgreementSlice,
  AgreementView,
  AgreementKeySlice,
} from '../../../../shared/contract/agreement-query.ts';
import { type AgreementPlace, agreementPlace } from '../agreements/place.ts';
import { remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const WAIT = { timeout: 120_000 };
const ROWS = 300;

let place: AgreementPlace;
let reader: ThreadedReader;

beforeEach(() => {
  place = agreementPlace();
  place.put(
    Array.from({ length: ROWS }, (_, at) =>
      remote({ title: `Lease ${String(at)}`, updatedAt: NOW - at }),
    ),
  );
  reader = readerOf(place, neverAsked);
});
afterEach(async () => {
  await reader.close();
  place[Symbol.dispose]();
});

function readerOf(
  { file, key, database }: Pick<AgreementPlace, 'file' | 'key' | 'database'>,
  lists: AgreementLists,
) {
  return readInThread({ file, key, lists, board: createBoardStore(database), beginAfter: 0 });
}

class OnTheLoop extends Error {}

/** Lists of the main loop, which throw `OnTheLoop` on any query. */
const neverAsked = new Proxy<AgreementLists>({} as never, {
  get: () => () => {
    throw new OnTheLoop();
  },
});

/** Waits until the thread answers queries. */
async function begun(one = reader): Promise<void> {
  await vi.waitFor(() => one.count({}, NOW), WAIT);
}

const search = 'lease';
const lists = () => readDirectly(place.agreements);

describe('the reader thread for lists', () => {
  it('gives the same answers as the main loop', WAIT, async () => {
    const closed = [0, 1, 2].map((days) => NOW - days * DAY);
    place.put(closed.map((at) => remote({ state: 'rejected', updatedAt: at, closedAt: at })));
    await begun();
    const [first] = place.agreements.list(AgreementQuery.parse({ limit: 1 }), NOW).items;
    if (first === undefined) throw new Error('There is no row');
    const { connectionId, id } = first;
    const view = AgreementView.parse({ search, group: 'state', sort: 'title' });
    const numbers = place.agreements.numbers(view, NOW);
    const answers = (of: ReturnType<typeof lists>) =>
      Promise.all([
        of.list(AgreementQuery.parse({ search, limit: 20 }), NOW),
        of.window(AgreementSlice.parse({ ...view, from: 150, limit: 20, countUpTo: 10 }), NOW),
        of.groups(view, NOW),
        of.position(view, { connectionId, id }, NOW),
        of.keys(AgreementKeySlice.parse({ from: 10, limit: 1000 }), NOW),
        of.numbers(view, NOW),
        of.rows(numbers.subarray(100, 130)),
        of.count({ search }, NOW),
        of.counts(connectionId, NOW),
        of.named([{ connectionId, id }], ['remote', 'sending']),
        of.rows(numbers.subarray(100, 130), ['remote']),
        of.retirable(NOW - 1),
      ]);
    const answered = await answers(reader);
    expect(answered).toEqual(await answers(lists()));
    expect(answered.at(-1)).toMatchObject({ number: 2, oldest: NOW - 2 * DAY, younger: 1 });
    expect(answered[6].map(({ title }) => title)).toHaveLength(30);
  });

  it('counts for the board like the main loop', WAIT, async () => {
    await begun();
    const asked = {
      connectionId: null,
      now: NOW,
      ages: ageBuckets(NOW),
      months: monthIntervals(NOW),
      ahead: upcomingIntervals(NOW, 30),
      since: 0,
      mostTemplates: 10,
    };
    const counted = await reader.board(asked);
    expect(counted).toEqual(createBoardStore(place.database).board(asked));
    expect(counted.waiting.counts).toContain(ROWS);
  });

  it('reads data that was written a moment ago', WAIT, async () => {
    await begun();
    for (let written = 1; written <= 20; written += 1) {
      place.put([remote({ title: `Latest ${String(written)}` })]);
      expect(await reader.count({ search: 'latest' }, NOW)).toBe(written);
    }
  });

  it('reports the rejection of a query with the text of the rejection', WAIT, async () => {
    await begun();
    const nowhere = AgreementQuery.parse({ after: 'nowhere' });
    await expect(reader.list(nowhere, NOW)).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        message: expect.stringContaining('cannot be continued') as string,
      },
    });
  });

  it('keeps the main loop free while it answers', WAIT, async () => {
    await begun();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    const view = AgreementView.parse({ search, sort: 'title' });
    for (let asked = 0; asked < 50; asked += 1) await reader.numbers(view, NOW);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('without the reader thread', () => {
  it('the main loop answers until the thread has started', WAIT, async () => {
    await expect(reader.count({}, NOW)).rejects.toBeInstanceOf(OnTheLoop);
  });

  it('the main loop answers when the data file cannot be opened', WAIT, async () => {
    const locked = readerOf({ ...place, key: place.key.toReversed() }, place.agreements);
    for (let asked = 0; asked < 100; asked += 1) {
      expect(await locked.count({ search }, NOW)).toBe(ROWS);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await locked.close();
  });

  it(
    'the main loop answers a query that ends the thread, and the next query starts another',
    WAIT,
    async () => {
      await begun();
      const { file, key, database } = place;
      const worker = new URL('./ending-worker.ts', import.meta.url);
      const board = createBoardStore(database);
      const ending = readInThread({ file, key, lists: neverAsked, board, beginAfter: 0, worker });
      await begun(ending);
      const asked = ending.list(AgreementQuery.parse({}), NOW);
      await expect(asked).rejects.toBeInstanceOf(OnTheLoop);
      await begun(ending);
      expect(await ending.count({}, NOW)).toBe(1);
      await ending.close();
    },
  );

  it('no thread starts after closing', WAIT, async () => {
    const closed = readerOf(place, place.agreements);
    await closed.close();
    expect(await closed.count({ search }, NOW)).toBe(ROWS);
    await closed.close();
  });
});
