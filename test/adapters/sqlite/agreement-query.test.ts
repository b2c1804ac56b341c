import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { agreementSql } from '../../../electron/adapters/sqlite/agreement-query.ts';
import type { AgreementQuery } from '../../../shared/contract/agreements.ts';
import { AgreementState, type RemoteAgreement } from '../../../shared/model/agreement.ts';
import { idOf, listRow, newConnection, party, query, remote } from './samples.ts';
import { NOW, type TempDatabase, tempDatabase } from './temp-database.ts';

const DAY = 86_400_000;
const counters = ['attention', 'expiring', 'my-turn', 'not-archived'] as const;

const connection = newConnection();
const removed = newConnection({ name: 'Removed' });
let place: TempDatabase;
let list: (
  change?: Partial<AgreementQuery>,
) => ReturnType<TempDatabase['stores']['agreements']['list']>;

/** Every state, with times around each limit, some gone, archived or of a removed connection. */
function manyKinds(): RemoteAgreement[] {
  const times = [null, NOW - 31 * DAY, NOW - 29 * DAY, NOW, NOW + 6 * DAY, NOW + 8 * DAY];
  return AgreementState.options.flatMap((state) =>
    times.flatMap((time, index) => [
      remote({
        state,
        updatedAt: time,
        closedAt: time,
        expiresAt: time,
        title: `${state} ${index}`,
      }),
      remote({
        state,
        updatedAt: NOW,
        expiresAt: time,
        title: `Ärende ${index}`,
        parties: [party({ apiSigning: 'c1', state: index % 2 === 0 ? 'turn' : 'waiting' })],
      }),
      listRow(remote({ state, title: `Row ${state}` })),
    ]),
  );
}

beforeAll(() => {
  place = tempDatabase();
  const { connections, agreements, archive } = place.stores;
  connections.save(connection);
  connections.save(removed);
  const told = manyKinds();
  agreements.put(connection.id, 'v1', told, NOW);
  agreements.put(removed.id, 'v1', manyKinds(), NOW);
  connections.remove(removed.id, 'keep', 'keep');
  for (const [index, { id }] of told.entries()) {
    const key = { connectionId: connection.id, id: idOf(id) };
    if (index % 7 === 0) agreements.markGone(key, index % 2 === 0 ? 'deleted' : 'no-access');
    if (index % 5 === 0) archive.record(key, { file: `${index}.pdf`, bytes: 1, sha256: 'a' }, NOW);
  }
  list = (change) => agreements.list(query(change), NOW);
});
afterAll(() => {
  place[Symbol.dispose]();
});

describe('counters', () => {
  const namesOf = {
    attention: 'attention',
    expiring: 'expiring',
    'my-turn': 'myTurn',
    'not-archived': 'notArchived',
  } as const;

  it.each(counters)('%s counts exactly what its list shows', (counter) => {
    const { items, total } = list({ counter, limit: 1000 });
    expect(items.length).toBeGreaterThan(0);
    expect(total).toBe(items.length);
    for (const connectionId of [undefined, connection.id]) {
      expect(place.stores.agreements.counts(connectionId, NOW)[namesOf[counter]]).toBe(total);
    }
  });

  it('attention is what was rejected or ran out in the last 30 days, or is in no known state', () => {
    for (const item of list({ counter: 'attention', limit: 1000 }).items) {
      expect(['rejected', 'expired', 'unknown']).toContain(item.state);
      if (item.state !== 'unknown') expect(item.updatedAt).toBeGreaterThan(NOW - 30 * DAY);
    }
  });

  it('expiring is what is open and ends within seven days', () => {
    for (const { state, expiresAt } of list({ counter: 'expiring', limit: 1000 }).items) {
      expect(['waiting', 'part-signed', 'unknown']).toContain(state);
      expect(expiresAt).toBeGreaterThanOrEqual(NOW);
      expect(expiresAt).toBeLessThanOrEqual(NOW + 7 * DAY);
    }
  });

  it('not archived is what was signed and has no file yet', () => {
    for (const item of list({ counter: 'not-archived', limit: 1000 }).items) {
      expect(item).toMatchObject({ state: 'signed', archivedAt: null, gone: null });
    }
  });

  it('states add up to all', () => {
    const { all, byState } = place.stores.agreements.counts(connection.id, NOW);
    expect(all).toBe(list({ connectionId: connection.id }).total);
    for (const state of AgreementState.options) {
      expect(byState[state]).toBe(list({ connectionId: connection.id, state }).total);
    }
  });
});

describe('pages', () => {
  it.each(['updated', 'title', 'closed'] as const)(
    'sorted by %s give every agreement once, in the order of one long page',
    (sort) => {
      const whole = list({ sort, limit: 1000 });
      expect(whole.next).toBeNull();
      const paged: string[] = [];
      let after: string | undefined;
      do {
        const page = list({ sort, limit: 7, ...(after === undefined ? {} : { after }) });
        paged.push(...page.items.map(({ id }) => id));
        expect(page.total).toBe(whole.total);
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(paged).toEqual(whole.items.map(({ id }) => id));
      expect(new Set(paged).size).toBe(whole.total);
    },
  );

  it('the newest come first, those of unknown time last (T1-28)', () => {
    const times = list({ limit: 1000 }).items.map(({ updatedAt }) => updatedAt);
    const known = times.filter((time) => time !== null);
    expect(known).toEqual(known.toSorted((a, b) => b - a));
    expect(times.slice(0, known.length)).not.toContain(null);
  });

  it('a place that no page named is refused', () => {
    expect(() => list({ after: 'nowhere' })).toThrowError('not a place in the list');
  });

  it('closing times narrow from, and up to but not including', () => {
    const closed = list({ closedFrom: NOW, closedTo: NOW + 6 * DAY, limit: 1000 }).items;
    expect(new Set(closed.map(({ closedAt }) => closedAt))).toEqual(new Set([NOW]));
  });
});

describe('search', () => {
  const found = (search: string) => {
    using own = tempDatabase();
    own.stores.connections.save(connection);
    const told = [
      remote({ title: 'Hyresavtal Öregrund', tags: { case: 'K-77' } }),
      remote({
        title: 'Umowa',
        parties: [party({ name: 'Łukasz Žižek', email: 'lukasz@example.pl' })],
      }),
      remote({ title: 'Zebra_100%', parties: [] }),
    ];
    own.stores.agreements.put(connection.id, 'v1', told, NOW);
    const { items, total } = own.stores.agreements.list(query({ search, sort: 'title' }), NOW);
    expect(total).toBe(items.length);
    return items.map(({ title }) => title);
  };

  it.each([
    ['oregrund', ['Hyresavtal Öregrund']],
    ['ÖREGRUND', ['Hyresavtal Öregrund']],
    ['  hyres   öre ', ['Hyresavtal Öregrund']],
    ['oberg', ['Hyresavtal Öregrund']],
    ['k-77', ['Hyresavtal Öregrund']],
    ['lukasz zizek', ['Umowa']],
    ['@example.pl', ['Umowa']],
    ['100%', ['Zebra_100%']],
    ['%', ['Zebra_100%']],
    ['hyres umowa', []],
    ['   ', ['Hyresavtal Öregrund', 'Umowa', 'Zebra_100%']],
  ])('%j finds %j', (search, titles) => {
    expect(found(search)).toEqual(titles);
  });

  it('titles sort as in Swedish, without regard to case', () => {
    using own = tempDatabase();
    own.stores.connections.save(connection);
    const titles = ['öl', 'Zebra', 'Ål', 'ärta', 'apa', 'Élan', 'bil'];
    own.stores.agreements.put(
      connection.id,
      'v1',
      titles.map((title) => remote({ title })),
      NOW,
    );
    const { items } = own.stores.agreements.list(query({ sort: 'title' }), NOW);
    expect(items.map(({ title }) => title)).toEqual([
      'apa',
      'bil',
      'Élan',
      'Zebra',
      'Ål',
      'ärta',
      'öl',
    ]);
  });
});

describe('ten thousand agreements', () => {
  const ROWS = 10_000;
  const FREE_MS = 50;

  function large() {
    const own = tempDatabase();
    own.stores.connections.save(connection);
    const told = Array.from({ length: ROWS }, (_, index) =>
      remote({
        title: `Agreement ${index} about house ${index % 97}`,
        state: index % 3 === 0 ? 'signed' : 'waiting',
        updatedAt: NOW - index * 1000,
        closedAt: index % 3 === 0 ? NOW - index * 1000 : null,
        native: JSON.stringify({ text: 'x'.repeat(1500) }),
      }),
    );
    own.stores.agreements.put(connection.id, 'v1', told, NOW);
    return own;
  }

  const best = (work: () => unknown) => {
    const times = Array.from({ length: 5 }, () => {
      const from = performance.now();
      work();
      return performance.now() - from;
    });
    return Math.min(...times);
  };

  it('are searched, listed and counted within the blink of an eye', () => {
    using own = large();
    const { agreements } = own.stores;
    const page = (change: Partial<AgreementQuery>) => () =>
      agreements.list(query({ limit: 50, ...change }), NOW);
    const times = {
      first: best(page({})),
      common: best(page({ search: 'house' })),
      rare: best(page({ search: 'agreement 9999' })),
      none: best(page({ search: 'nothing of the kind' })),
      counter: best(page({ counter: 'not-archived', sort: 'title' })),
      counts: best(() => agreements.counts(undefined, NOW)),
    };
    for (const [what, time] of Object.entries(times)) expect(time, what).toBeLessThan(FREE_MS);
  });

  const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
  const planOf = (change: Partial<AgreementQuery>) => {
    const { page, parameters } = agreementSql(query(change), 'a.id', NOW);
    return place.database.query(`EXPLAIN QUERY PLAN ${page}`, Plan).all(parameters).join('; ');
  };

  it.each([
    [{}, 'agreement_updated'],
    [{ sort: 'title' as const }, 'agreement_title'],
    [{ sort: 'closed' as const }, 'agreement_closed'],
    [{ search: 'house' }, 'agreement_updated'],
    [{ connectionId: connection.id }, 'agreement_connection_updated'],
  ])('a page of %j is read along an index, unsorted', (change, index) => {
    for (const after of [undefined, list({ limit: 1 }).next ?? undefined]) {
      const plan = planOf({ ...change, ...(after === undefined ? {} : { after }) });
      expect(plan).toContain(`INDEX ${index}`);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  it.each(counters)('the list of %s is found by an index', (counter) => {
    expect(planOf({ counter })).toMatch(/(SCAN|SEARCH) a USING INDEX/u);
  });
});
