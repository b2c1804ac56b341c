// tier: quick, 18 s, because it asks about many agreements at once
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AgreementFilter,
  AgreementSort,
  AgreementSlice,
  AgreementView,
} from '../../../../shared/contract/agreement-query.ts';
import { AgreementKey } from '../../../../shared/model/ids.ts';
import { AgreementState, type RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { type AgreementPlace, agreementPlace, storesOf } from './place.ts';
import { compare, isMatch, type Known } from './reference.ts';
import { idOf, listRow, newConnection, party, query, remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';
import { DAY, HOUR } from '../../../../shared/rules/time/units.ts';

/** Timeout for thousands of agreements on a busy computer. */
const TIMEOUT_MS = 1_200_000;

/** Number of agreements: more than are ever sorted, so that every way of reading is used. */
const MANY = 3600;
const things = ['Lease', 'Hyresavtal', 'Order', 'Ångbåt', 'Ärende', 'Öppet köp', 'zebra', 'NDA'];
const people = ['Astrid Öberg', 'Łukasz Žižek', 'Åsa Berg', 'Bo Ek', 'Mikael Ström'];

let place: AgreementPlace;
const known: Known[] = [];
const second = newConnection({ name: 'Second', createdAt: NOW + 1 });
const removed = newConnection({ name: 'Removed', createdAt: NOW + 2 });

/** Yields agreements in every status, with and without each time, around each time limit. */
function* many(): Generator<RemoteAgreement> {
  const at = (index: number, step: number) => {
    const kind = (index * 7919) % 11;
    if (kind === 0) return null;
    return kind < 4
      ? NOW - ((index * step) % 40) * DAY
      : NOW - ((index * step) % 900) * DAY - index;
  };
  for (let index = 0; index < MANY; index += 1) {
    const state = AgreementState.options[(index * 31) % (index % 3 === 0 ? 8 : 4)] ?? 'unknown';
    const received = remote({
      title: `${things[index % things.length] ?? ''} ${String(index % 50)}`,
      state,
      nativeState: state.toUpperCase(),
      updatedAt: at(index, 13),
      closedAt: ['signed', 'rejected'].includes(state) ? at(index, 29) : null,
      expiresAt: index % 5 === 0 ? null : NOW + ((index % 60) - 20) * DAY,
      parties: [
        party({
          name: people[(index * 3) % people.length] ?? '',
          email: `p${String(index % 40)}@example.com`,
          apiSigning: index % 9 === 0 ? 'c1' : null,
          state: index % 2 === 0 ? 'turn' : 'waiting',
        }),
      ],
      tags: { case: `K-${String(index % 30)}`, ...(index % 4 === 0 ? { office: 'Malmö' } : {}) },
      native: '{}',
    });
    yield index % 17 === 0 ? listRow(received, { updatedAt: received.updatedAt }) : received;
  }
}

/** Stores all agreements in one commit, because each commit waits for the disk. */
function fill({ connections, agreements, archive, connection, keyOf, put }: AgreementPlace) {
  connections.save(second);
  connections.save(removed);
  for (const [index, received] of [...many()].entries()) {
    const of = index % 3 === 0 ? second : index % 50 === 1 ? removed : connection;
    const key = keyOf(received, of);
    put([received], NOW, of);
    const [archived, gone] = [received.state === 'signed' && index % 5 === 0, index % 23 === 0];
    const file = `${received.id}.pdf`;
    if (archived) archive.record(key, { file, bytes: 1, sha256: 'a' }, NOW);
    const damaged = archived && index % 7 < 3;
    const finding = index % 3 === 0 ? 'missing' : 'changed';
    if (damaged) archive.noteFindings('/archive', [{ key, file, finding }], NOW);
    if (gone) agreements.markGone(key, index % 2 === 0 ? 'deleted' : 'no-access');
    known.push({ connectionId: of.id, received, archived, damaged, gone, live: of !== removed });
  }
  connections.remove(removed.id, 'keep', 'keep');
}

beforeAll(() => {
  place = agreementPlace();
  const { agreements } = place;
  agreements.beginBulk();
  place.database.transaction(() => fill(place));
  agreements.endBulk();
  while (!agreements.buildIndex());
}, TIMEOUT_MS);
afterAll(() => {
  place[Symbol.dispose]();
});

const filters: readonly (readonly [string, Partial<AgreementFilter>])[] = [
  ['nothing', {}],
  ['a connection', { connectionId: second.id }],
  ['states', { states: ['waiting', 'part-signed'] }],
  ['a rare state of a connection', { states: ['revoked'], connectionId: second.id }],
  ['our turn', { myTurn: true }],
  ['not our turn', { myTurn: false, states: ['waiting'] }],
  ['archived', { archived: true }],
  ['not archived', { archived: false, states: ['signed'] }],
  ['gone', { gone: true }],
  ['not gone', { gone: false }],
  ['connections that exist', { connected: true, states: ['waiting'], gone: false }],
  ['removed connections', { connected: false }],
  ['a tag', { tag: 'office' }],
  ['a tag and its value', { tag: 'case=K-7' }],
  ['a tag that is not there', { tag: 'case=K' }],
  ['a common word', { search: 'lease' }],
  ['a beginning', { search: 'hy' }],
  ['one letter', { search: 'z' }],
  ['two words', { search: 'lease astrid' }],
  ['words and a state', { search: 'oberg', states: ['signed'] }],
  ['words and the rest', { search: 'p7', archived: false, gone: false, connectionId: second.id }],
  ['a word nothing has', { search: 'wombat' }],
  ['an expiry', { expiresFrom: NOW, expiresTo: NOW + 3 * DAY }],
  ['a closing', { closedFrom: NOW - 30 * DAY, closedTo: NOW }],
  ['a long time of closing', { closedFrom: NOW - 900 * DAY }],
  ['updates', { updatedFrom: NOW - 20 * DAY, updatedTo: NOW - 5 * DAY }],
  ['updates and words', { updatedFrom: NOW - 20 * DAY, updatedTo: NOW, search: 'ber' }],
  ['all times', { updatedFrom: NOW - 800 * DAY, closedTo: NOW, expiresFrom: NOW - 9 * DAY }],
  ['attention', { counter: 'attention' }],
  ['expiring', { counter: 'expiring' }],
  ['expiring of a connection', { counter: 'expiring', connectionId: second.id, search: 'order' }],
  ['turn', { counter: 'my-turn' }],
  ['to be archived', { counter: 'not-archived' }],
  ['what excludes itself', { counter: 'not-archived', archived: true }],
];

const matching = (filter: AgreementFilter) =>
  known.filter((one) => isMatch(one, filter, NOW)).map(({ received }) => received);
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

function everyPage(change: object): string[] {
  const found: string[] = [];
  for (let after: string | undefined; ;) {
    const paging = after === undefined ? {} : { after };
    const page = place.agreements.list(query({ ...change, ...paging, limit: 400 }), NOW);
    found.push(...idsOf(page.items));
    if (page.next === null) return found;
    after = page.next;
  }
}

const everyWindow = (change: object) => {
  const found: string[] = [];
  for (let from = 0; ; from += 450) {
    const stretch = AgreementSlice.parse({ ...change, from, limit: 450 });
    const { items } = place.agreements.window(stretch, NOW);
    found.push(...idsOf(items));
    if (items.length < 450) return found;
  }
};

describe.each(filters)('the agreement list filtered by %s', (_, change) => {
  const filter = AgreementFilter.parse(change);

  it('has the expected agreements and count', () => {
    const expected = matching(filter);
    const page = place.agreements.list(query({ ...filter, limit: 1 }), NOW);
    expect(page.total).toBe(expected.length);
    expect(place.agreements.count(filter, NOW)).toBe(expected.length);
    expect(everyPage(filter).toSorted()).toEqual(idsOf(expected).toSorted());
  });

  it.each([1, 40])('shows its first rows before more than %i rows are counted', (countUpTo) => {
    const expected = matching(filter).length;
    const { agreements } = storesOf(place.database);
    const stretch = AgreementSlice.parse({ ...filter, from: 0, limit: 50, countUpTo });
    const { items, total, isCounted } = agreements.window(stretch, NOW);
    expect(idsOf(items)).toEqual(everyWindow(filter).slice(0, 50));
    expect(total).toBe(isCounted ? expected : countUpTo + 1);
    if (!isCounted) expect(expected).toBeGreaterThan(countUpTo);
    // A page that is shorter than requested is the last, so all its rows are counted.
    const most = Math.max(countUpTo, stretch.limit - 1);
    if (filter.search !== undefined) expect(isCounted).toBe(expected <= most);
  });

  it('is the same if its rows are read together by their numbers', () => {
    const view = AgreementView.parse(filter);
    const numbers = place.agreements.numbers(view, NOW);
    expect(idsOf(place.agreements.rows(numbers))).toEqual(everyWindow(filter));
  });

  it.each(AgreementSort.options)('is in the order of %s, by page and by window', (sort) => {
    const byId = new Map(known.map(({ received }) => [received.id, received]));
    for (const direction of ['ascending', 'descending'] as const) {
      const view = { ...filter, sort, direction };
      const found = everyPage(view);
      expect(everyWindow(view)).toEqual(found);
      const order = compare(view);
      const received = found.flatMap((id) => byId.get(id) ?? []);
      const wrong = received.filter((one, index) => order(received[index - 1] ?? one, one) > 0);
      expect(wrong.map(({ title }) => title)).toEqual([]);
    }
  });
});

describe('an agreement list view', () => {
  const view = (change: object) => AgreementView.parse(change);
  const window = (change: object, from: number, limit = 50) =>
    place.agreements.window(AgreementSlice.parse({ ...change, from, limit }), NOW);

  it.each([
    [{}],
    [{ sort: 'title' }],
    [{ sort: 'expires' }],
    [{ search: 'lease', sort: 'closed' }],
    [{ states: ['signed'] }],
    [{ group: 'state', sort: 'title' }],
  ])('of %j has the same rows after a jump to a position as when all rows are read', (change) => {
    const whole = everyWindow(change);
    for (const from of [0, 1, 499, 500, 501, 1700, whole.length - 3, whole.length]) {
      if (from < 0) continue;
      expect(idsOf(window(change, from).items)).toEqual(whole.slice(from, from + 50));
    }
  });

  it.each([
    ['updated', 'descending'],
    ['closed', 'descending'],
    ['title', 'ascending'],
    ['expires', 'ascending'],
  ] as const)('by %s is sorted %s if no direction is chosen', (sort, direction) => {
    const ids = (change: object) =>
      place.agreements.list(query({ sort, limit: 400, ...change }), NOW).items.map(({ id }) => id);
    expect(ids({})).toEqual(ids({ direction }));
    const other = direction === 'ascending' ? 'descending' : 'ascending';
    expect(ids({})).not.toEqual(ids({ direction: other }));
  });

  it.each([[{}], [{ sort: 'title' }], [{ sort: 'expires' }], [{ search: 'ber', group: 'state' }]])(
    'of %j finds the position of an agreement, and reports an absent one',
    (change) => {
      const whole = everyWindow(change);
      const where = (id: string) => {
        const one = known.find(({ received }) => received.id === id);
        const key = AgreementKey.parse({ connectionId: one?.connectionId, id });
        return place.agreements.position(view(change), key, NOW);
      };
      for (const index of [0, 7, 700, whole.length - 1]) {
        const id = whole[index];
        if (id !== undefined) expect(where(id)).toBe(index);
      }
      const absent = known.find(({ received }) => !whole.includes(received.id));
      if (absent !== undefined) expect(where(absent.received.id)).toBeNull();
    },
  );

  it.each(['state', 'connection', 'month'] as const)(
    'grouped by %s gives the start and length of each group',
    (group) => {
      for (const change of [{}, { search: 'lease' }, { sort: 'closed' }, { sort: 'title' }]) {
        const grouped = { ...change, group };
        const groups = place.agreements.groups(view(grouped), NOW);
        const whole = everyWindow(grouped);
        expect(whole).toHaveLength(matching(AgreementFilter.parse(change)).length);
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(whole.length);
        expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
        for (const { key, from, count } of groups) {
          const inside = new Set(whole.slice(from, from + count));
          const keys = known
            .filter(({ received }) => inside.has(received.id))
            .map((one) => {
              if (group === 'state') return one.received.state;
              if (group === 'connection') return one.connectionId;
              const sort = 'sort' in change && change.sort === 'closed' ? 'closedAt' : 'updatedAt';
              return monthOf(one.received[sort]);
            });
          expect(new Set(keys)).toEqual(new Set([key]));
        }
      }
    },
  );

  it.each([
    { sort: 'updated' },
    { sort: 'updated', direction: 'ascending' },
    { sort: 'closed', direction: 'descending' },
    { sort: 'title', direction: 'ascending' },
  ] as const)(
    'grouped by month in the order of $sort $direction ends with agreements without a time',
    (by) => {
      const sort = by.sort === 'closed' ? 'closedAt' : 'updatedAt';
      const months = new Set(known.map(({ received }) => monthOf(received[sort])));
      const named = [...months].filter((month) => month !== null).toSorted();
      const isUpwards = by.sort === 'updated' && 'direction' in by;
      const inOrder = isUpwards ? named : named.toReversed();
      const groups = place.agreements.groups(view({ ...by, group: 'month' }), NOW);
      const unknown = months.has(null) ? [null] : [];
      expect(groups.map(({ key }) => key)).toEqual([...inOrder, ...unknown]);
    },
  );

  it('returns the keys of a range of rows, and the number of all rows', () => {
    const change = { states: ['waiting'] };
    const stretch = AgreementSlice.parse({ ...change, from: 100, limit: 60 });
    const { keys, total } = place.agreements.keys(stretch, NOW);
    expect(idsOf(keys)).toEqual(everyWindow(change).slice(100, 160));
    expect(total).toBe(matching(AgreementFilter.parse(change)).length);
  });

  it('returns no rows past its end, but the number of all rows', () => {
    const { items, total } = window({}, MANY + 10);
    expect(items).toEqual([]);
    expect(total).toBe(MANY);
  });

  it('of an unknown connection is empty', () => {
    expect(window({ connectionId: newConnection().id }, 0).total).toBe(0);
  });
});

function monthOf(time: number | null): string | null {
  if (time === null) return null;
  const date = new Date(time);
  return `${String(date.getFullYear())}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

describe('agreement counters', () => {
  const namesOf = {
    attention: 'attention',
    expiring: 'expiring',
    'my-turn': 'myTurn',
    'not-archived': 'notArchived',
  } as const;

  it.each(['attention', 'expiring', 'my-turn', 'not-archived'] as const)(
    'of %s count exactly the agreements that their list shows',
    (counter) => {
      for (const where of [{}, { connectionId: second.id }]) {
        const { total } = place.agreements.list(query({ ...where, counter, limit: 1 }), NOW);
        const counts = place.agreements.counts(where.connectionId, NOW);
        expect(counts[namesOf[counter]]).toBe(total);
        expect(total).toBeGreaterThan(0);
      }
    },
  );

  it('of the statuses add up to the number of all agreements', () => {
    for (const where of [{}, { connectionId: second.id }]) {
      const { all, byState } = place.agreements.counts(where.connectionId, NOW);
      expect(Object.values(byState).reduce((sum, number) => sum + number, 0)).toBe(all);
      for (const state of AgreementState.options) {
        const filter = AgreementFilter.parse({ ...where, states: [state] });
        expect(byState[state]).toBe(matching(filter).length);
      }
    }
  });

  it('change as time passes', () => {
    const { expiring } = place.agreements.counts(undefined, NOW);
    const later = known.filter((one) => isMatch(one, { counter: 'expiring' }, NOW + 20 * DAY));
    expect(place.agreements.counts(undefined, NOW + 20 * DAY).expiring).toBe(later.length);
    expect(later.length).not.toBe(expiring);
  });
});

describe('the agreement list', () => {
  it('shows a change immediately in its rows, positions and counts', () => {
    using own = agreementPlace();
    const received = Array.from({ length: 5 }, (_, index) =>
      remote({ title: `Lease ${String(index)}`, updatedAt: NOW - index * HOUR }),
    );
    own.put(received);
    const [, , third] = received;
    if (third === undefined) throw new Error('too few');
    const all = AgreementView.parse({ search: 'lease' });
    expect(own.agreements.position(all, own.keyOf(third), NOW)).toBe(2);
    own.put([{ ...third, updatedAt: NOW + 1, state: 'signed', nativeState: 'SIGNED_BY_ALL' }]);
    expect(own.agreements.position(all, own.keyOf(third), NOW)).toBe(0);
    expect(own.agreements.counts(undefined, NOW).byState).toMatchObject({ waiting: 4, signed: 1 });
    expect(own.agreements.count({ search: 'lease', states: ['signed'] }, NOW)).toBe(1);
  });

  it('rejects a position that was not returned with a page', () => {
    expect(() => place.agreements.list(query({ after: 'nowhere' }), NOW)).toThrowError(
      'list cannot be continued',
    );
  });

  it('shows the newest agreements first, and agreements of unknown time last (T1-28)', () => {
    const byId = new Map(known.map(({ received }) => [received.id, received.updatedAt]));
    const times = everyPage({}).map((id) => byId.get(id) ?? null);
    const dated = times.filter((time) => time !== null);
    expect(dated).toEqual(dated.toSorted((a, b) => b - a));
    expect(times.slice(0, dated.length)).not.toContain(null);
    expect(times.length).toBeGreaterThan(dated.length);
  });
});

it('a search for only spaces finds every agreement, like no search', () => {
  expect(place.agreements.count({ search: '  ' }, NOW)).toBe(place.agreements.count({}, NOW));
});

it('a damaged archived file is shown in the row of its agreement, which is not archived', () => {
  const damaged = place.agreements
    .list(query({ counter: 'attention', states: ['signed'], limit: 500 }), NOW)
    .items.map(({ archiveDamage, archivedAt }) => ({ archiveDamage, archivedAt }));
  expect(new Set(damaged.map(({ archiveDamage }) => archiveDamage))).toEqual(
    new Set(['changed', 'missing']),
  );
  expect(damaged.filter(({ archivedAt }) => archivedAt !== null)).toEqual([]);
});

it('an archived agreement is listed with its archiving time and a valid ID', () => {
  const { items } = place.agreements.list(query({ archived: true, limit: 1 }), NOW);
  expect(items[0]?.archivedAt).toBe(NOW);
  expect(idOf(items[0]?.id ?? '')).toBe(items[0]?.id);
});
