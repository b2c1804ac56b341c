import { beforeEach, describe, expect, it } from 'vitest';
import { chosenBy, keysOfTag, textOf } from '../../../electron/core/archive/choice.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { idOf, newConnection, remote } from '../../adapters/sqlite/samples.ts';
import { NOW } from '../../adapters/sqlite/temp-database.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';

const [one, two] = [newConnection({ name: 'One' }), newConnection({ name: 'Two' })];

let stores: ReturnType<typeof createMemoryStores>;

beforeEach(() => {
  stores = createMemoryStores();
  for (const connection of [one, two]) stores.connections.save(connection);
});

const put = (received: readonly RemoteAgreement[], { id, api } = one) =>
  stores.agreements.put(id, api, received, NOW);

const signed = (id: string, closedAt: number, change: Partial<RemoteAgreement> = {}) =>
  remote({ id, title: id, state: 'signed', closedAt, parties: [], ...change });

const chosen = (run: Pick<ArchiveRun, 'connectionId' | 'since' | 'until' | 'only' | 'filter'>) =>
  chosenBy(stores, run, NOW).map(({ title }) => title);

/** A run that names no filter, and one that names an empty one. */
const bothWays = [{ filter: undefined }, { filter: {} }] as const;

describe('what a run is about', () => {
  it.each(bothWays)('is what all have signed, the first closed first ($filter)', ({ filter }) => {
    put([signed('c', 3), signed('a', 1), remote({ state: 'rejected', closedAt: 2 })]);
    put([signed('b', 2)], two);
    expect(chosen(filter === undefined ? {} : { filter })).toEqual(['a', 'b', 'c']);
  });

  it.each(bothWays)('is of one connection, and of times, where they are named ($filter)', (how) => {
    put([signed('a', 1), signed('b', 2), signed('c', 3)]);
    put([signed('d', 2)], two);
    const filter = how.filter === undefined ? {} : how;
    expect(chosen({ ...filter, since: 2, until: 3 })).toHaveLength(2);
    expect(chosen({ ...filter, connectionId: one.id, since: 2, until: 3 })).toEqual(['b']);
    expect(chosen({ ...filter, connectionId: two.id })).toEqual(['d']);
    expect(chosen({ ...filter, since: 3 })).toEqual(['c']);
    expect(chosen({ ...filter, until: 2 })).toEqual(['a']);
  });

  it.each(bothWays)('is not what is gone from the service ($filter)', ({ filter }) => {
    put([signed('a', 1), signed('b', 2), signed('c', 3)]);
    const keyOf = (id: string) => ({ connectionId: one.id, id: idOf(id) });
    stores.agreements.markGone(keyOf('a'), 'deleted');
    stores.agreements.markGone(keyOf('b'), 'no-access');
    expect(chosen(filter === undefined ? {} : { filter })).toEqual(['c']);
  });

  it('is only what is named, each by its connection and its id', () => {
    put([signed('a', 1), signed('b', 2)]);
    put([signed('a', 3)], two);
    const only = [{ connectionId: two.id, id: idOf('a') }];
    expect(chosenBy(stores, { only }, NOW)).toMatchObject([{ connectionId: two.id, id: 'a' }]);
    expect(chosen({ only: [] })).toEqual([]);
  });

  it('has other states where the filter names them, and signed where it names none', () => {
    put([signed('a', 1), remote({ title: 'b', state: 'rejected', closedAt: 2 })]);
    expect(chosen({ filter: { states: ['rejected'] } })).toEqual(['b']);
    expect(chosen({ filter: { states: ['signed', 'rejected'] } })).toEqual(['a', 'b']);
    expect(chosen({ filter: { states: [] } })).toEqual(['a']);
    expect(chosen({ filter: { search: 'b' } })).toEqual([]);
  });

  it.each([500, 1001])('is all of it, also where a filter chooses %i', (count) => {
    put(Array.from({ length: count }, (_, at) => signed(String(at), at + 1)));
    const all = Array.from({ length: count }, (_, at) => String(at));
    expect(chosen({ filter: {} })).toEqual(all);
  });
});

it('what has a tag is known by connection and id, signed or not, gone or not, all of it', () => {
  const tags = { case: 'A' };
  put(Array.from({ length: 501 }, (_, at) => remote({ id: String(at), tags })));
  put([remote({ id: 'other', tags: { case: 'B' } })]);
  put([signed('0', 1, { tags })], two);
  stores.agreements.markGone({ connectionId: one.id, id: idOf('7') }, 'deleted');
  const found = keysOfTag(stores, 'case=A', NOW);
  expect(found.size).toBe(502);
  for (const key of [
    { connectionId: one.id, id: idOf('7') },
    { connectionId: two.id, id: idOf('0') },
  ]) {
    expect(found.has(textOf(key))).toBe(true);
  }
});
