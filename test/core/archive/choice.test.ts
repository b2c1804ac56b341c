import { beforeEach, describe, expect, it } from 'vitest';
import { readDirectly } from '../../../electron/adapters/sqlite/reader/direct.ts';
import {
  type ChoicePorts,
  agreementsChosenBy,
  keysOfTag,
  agreementKeyText,
} from '../../../electron/core/archive/choice.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
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

const ports = (): ChoicePorts => ({
  stores,
  lists: readDirectly(stores.agreements),
  clock: { now: () => NOW, after: () => () => undefined },
});

type Choice = Pick<ArchiveRun, 'connectionId' | 'since' | 'until' | 'only' | 'filter'>;

async function rowsOf(choice: Choice): Promise<readonly Agreement[]> {
  const rows: Agreement[] = [];
  for await (const some of agreementsChosenBy(ports(), choice)) rows.push(...some);
  return rows;
}

const chosen = async (choice: Choice) => (await rowsOf(choice)).map(({ title }) => title);

/** A run without a filter, and one with an empty filter. */
const bothWays = [{ filter: undefined }, { filter: {} }] as const;

describe('the selection of an archive run', () => {
  it.each(bothWays)(
    'contains the agreements that everyone has signed, by the time at which they closed ($filter)',
    async ({ filter }) => {
      put([signed('c', 3), signed('a', 1), remote({ state: 'rejected', closedAt: 2 })]);
      put([signed('b', 2)], two);
      expect(await chosen(filter === undefined ? {} : { filter })).toEqual(['a', 'b', 'c']);
    },
  );

  it.each(bothWays)(
    'is limited to a connection and to dates that the filter names ($filter)',
    async (how) => {
      put([signed('a', 1), signed('b', 2), signed('c', 3)]);
      put([signed('d', 2)], two);
      const filter = how.filter === undefined ? {} : how;
      expect(await chosen({ ...filter, since: 2, until: 3 })).toHaveLength(2);
      expect(await chosen({ ...filter, connectionId: one.id, since: 2, until: 3 })).toEqual(['b']);
      expect(await chosen({ ...filter, connectionId: two.id })).toEqual(['d']);
      expect(await chosen({ ...filter, since: 3 })).toEqual(['c']);
      expect(await chosen({ ...filter, until: 2 })).toEqual(['a']);
    },
  );

  it.each(bothWays)(
    'excludes agreements that are gone from the service ($filter)',
    async ({ filter }) => {
      put([signed('a', 1), signed('b', 2), signed('c', 3)]);
      const keyOf = (id: string) => ({ connectionId: one.id, id: idOf(id) });
      stores.agreements.markGone(keyOf('a'), 'deleted');
      stores.agreements.markGone(keyOf('b'), 'no-access');
      expect(await chosen(filter === undefined ? {} : { filter })).toEqual(['c']);
    },
  );

  it.each(bothWays)('excludes agreements of a removed connection ($filter)', async ({ filter }) => {
    put([signed('a', 1)]);
    put([signed('b', 2)], two);
    stores.connections.remove(one.id, 'keep', 'keep');
    expect(await chosen(filter === undefined ? {} : { filter })).toEqual(['b']);
    expect(await chosen({ only: [{ connectionId: one.id, id: idOf('a') }] })).toEqual([]);
  });

  it('contains only the named agreements, each named by its connection and id', async () => {
    put([signed('a', 1), signed('b', 2), remote({ id: 'open', state: 'waiting' })]);
    put([signed('a', 3)], two);
    const only = [{ connectionId: two.id, id: idOf('a') }];
    expect(await rowsOf({ only })).toMatchObject([{ connectionId: two.id, id: 'a' }]);
    expect(await chosen({ only: [] })).toEqual([]);
    const keyOf = (id: string) => ({ connectionId: one.id, id: idOf(id) });
    expect(await chosen({ only: [keyOf('b'), keyOf('open'), keyOf('lost')] })).toEqual(['b']);
    stores.agreements.markGone(keyOf('b'), 'deleted');
    expect(await chosen({ only: [keyOf('a'), keyOf('b')] })).toEqual(['a']);
    expect(await chosen({ only: [keyOf('a')], filter: { search: 'b' } })).toEqual([]);
  });

  it('contains other statuses if the filter names them, and signed ones if it names none', async () => {
    put([signed('a', 1), remote({ title: 'b', state: 'rejected', closedAt: 2 })]);
    expect(await chosen({ filter: { states: ['rejected'] } })).toEqual(['b']);
    expect(await chosen({ filter: { states: ['signed', 'rejected'] } })).toEqual(['a', 'b']);
    expect(await chosen({ filter: { states: [] } })).toEqual(['a']);
    expect(await chosen({ filter: { search: 'b' } })).toEqual([]);
  });

  it.each([500, 1001])('contains all agreements if the filter matches %i', async (count) => {
    put(Array.from({ length: count }, (_, at) => signed(String(at), at + 1)));
    const all = Array.from({ length: count }, (_, at) => String(at));
    expect(await chosen({ filter: {} })).toEqual(all);
  });
});

it('the agreements with a tag are listed by connection and id, even unsigned and deleted ones', async () => {
  const tags = { case: 'A' };
  put(Array.from({ length: 501 }, (_, at) => remote({ id: String(at), tags })));
  put([remote({ id: 'other', tags: { case: 'B' } })]);
  put([signed('0', 1, { tags })], two);
  stores.agreements.markGone({ connectionId: one.id, id: idOf('7') }, 'deleted');
  const found = await keysOfTag(ports(), 'case=A');
  expect(found.size).toBe(502);
  for (const key of [
    { connectionId: one.id, id: idOf('7') },
    { connectionId: two.id, id: idOf('0') },
  ]) {
    expect(found.has(agreementKeyText(key))).toBe(true);
  }
});
