import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAgreementIndex } from '../../../../electron/adapters/sqlite/agreements/search-index.ts';
import {
  type AgreementListings,
  createListings,
} from '../../../../electron/adapters/sqlite/agreements/listings.ts';
import type {
  ListOrder,
  MatchSource,
} from '../../../../electron/adapters/sqlite/agreements/plan.ts';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { type AgreementPlace, agreementPlace } from './place.ts';
import { newConnection, party, remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';
import { DAY, MINUTE } from '../../../../shared/rules/time/units.ts';

/** Number of agreements: more than a query ever sorts. */
const MANY = 7000;
/** Timeout of these tests, which are slow on a busy computer. */
const TIMEOUT_MS = 1_200_000;

const second = newConnection();
let place: AgreementPlace;
let listings: AgreementListings;

beforeAll(() => {
  place = agreementPlace();
  const { connections, agreements } = place;
  connections.save(second);
  agreements.beginBulk();
  place.database.transaction(() => {
    for (let index = 0; index < MANY; index += 1) {
      const isSigned = index % 2 === 0;
      const received = remote({
        title: `House ${String(index)}${index < 200 ? ' fresh' : ''}${index % 100 === 0 ? ' rare' : ''}${index % 2 === 1 ? ' half' : ''}`,
        state: index % 1000 === 1 ? 'rejected' : isSigned ? 'signed' : 'waiting',
        updatedAt: NOW - index * 1000,
        closedAt: isSigned ? NOW - index * 1000 : null,
        expiresAt: NOW + (index % 400) * DAY,
        tags: { case: `K-${String(index % 50)}` },
        parties: [party({ apiSigning: index % 900 === 3 ? 'c1' : null })],
        native: '{}',
      });
      place.put([received], NOW, index % 5 === 0 ? second : place.connection);
    }
  });
  agreements.endBulk();
  while (!agreements.buildIndex());
  listings = createListings(place.database, createAgreementIndex(place.database));
}, TIMEOUT_MS);
afterAll(() => {
  place[Symbol.dispose]();
});

const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
const planOf = (database: Database, sql: string, parameters = {}) =>
  database.query(`EXPLAIN QUERY PLAN ${sql}`, Plan).all(parameters);

const listed = (order: Partial<ListOrder>) =>
  listings.of(
    { filter: {}, sort: 'updated', direction: 'descending', times: 'any', ...order },
    NOW,
  );

const kindOf = (source: MatchSource) =>
  source.kind === 'words' && source.isSorted ? 'words, sorted' : source.kind;

describe('the first page of agreements', () => {
  it.each<[string, Partial<ListOrder>, string, string]>([
    ['all agreements', {}, 'walk', 'agreement_by_updated'],
    ['all by title', { sort: 'title', direction: 'ascending' }, 'walk', 'agreement_by_title'],
    ['all by closing time', { sort: 'closed' }, 'walk', 'agreement_by_closed'],
    ['all by expiry', { sort: 'expires', times: 'known' }, 'walk', 'agreement_by_expires'],
    ['a common state', { filter: { states: ['signed'] } }, 'walk', 'agreement_by_updated'],
    ['a rare state', { filter: { states: ['rejected'] } }, 'facets', 'agreement_by_facets'],
    ['a small connection', { filter: { connectionId: second.id } }, 'facets', 'by_facets'],
    ['our turn', { filter: { counter: 'my-turn' } }, 'facets', 'agreement_by_facets'],
    [
      'agreements that need attention',
      { filter: { counter: 'attention' } },
      'range',
      'by_attention',
    ],
    [
      'agreements that expire soon',
      { filter: { counter: 'expiring' } },
      'range',
      'agreement_by_expires',
    ],
    [
      'a range of closing times',
      { filter: { closedFrom: NOW - MINUTE, closedTo: NOW } },
      'range',
      'agreement_by_closed',
    ],
    [
      'agreements closed since a time, by closing time',
      { filter: { closedFrom: NOW - DAY }, sort: 'closed' },
      'walk',
      'agreement_by_closed',
    ],
    ['a word of all agreements', { filter: { search: 'house' } }, 'walk', 'agreement_by_updated'],
    ['a word of half of the agreements', { filter: { search: 'half' } }, 'words', 'VIRTUAL TABLE'],
    ['a word of the newest agreements', { filter: { search: 'fresh' } }, 'words', 'VIRTUAL TABLE'],
    ['a rare word', { filter: { search: 'rare' } }, 'words', 'VIRTUAL TABLE'],
    ['a word in a state', { filter: { search: 'house', states: ['signed'] } }, 'words', 'place'],
    ['a tag', { filter: { tag: 'case=K-7' } }, 'words', 'VIRTUAL TABLE'],
    ['a rare word by title', { filter: { search: 'rare' }, sort: 'title' }, 'words, sorted', 'M'],
    ['a common word by title', { filter: { search: 'house' }, sort: 'title' }, 'walk', 'by_title'],
  ])('for %s is read from the expected index', (_, order, kind, index) => {
    const { source, statement, parameters } = listed(order);
    expect(kindOf(source)).toBe(kind);
    const plan = planOf(place.database, statement, parameters).join('; ');
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/SCAN a(?! USING)/u);
    // Only small results are sorted.
    if (kind === 'walk' || kind === 'words') expect(plan).not.toContain('TEMP B-TREE');
  });
});

it.each([
  ['SELECT number FROM agreement WHERE connection_id = 1 AND id = 2', 'sqlite_autoindex'],
  ['SELECT 1 FROM agreement WHERE place IS NULL LIMIT 1', 'agreement_place'],
  ['SELECT id FROM agreement WHERE connection_id = 1 AND ref = 2', 'agreement_ref'],
  ['SELECT id FROM agreement a WHERE a.signable = 1 AND a.is_open = 1', 'agreement_signable'],
  ['SELECT id FROM agreement WHERE done_at < 5 ORDER BY done_at', 'agreement_by_done'],
])('the query %s uses an index and needs no scan', (sql, index) => {
  const plan = planOf(place.database, sql).join('; ');
  expect(plan).toContain(`INDEX ${index}`);
  expect(plan).not.toMatch(/SCAN agreement(?! USING)/u);
});

it('agreement counts without search words or times are read from the tally, with any filter', () => {
  const narrowed = () =>
    listed({ filter: { states: ['signed'], archived: false, myTurn: false } }).total();
  const before = narrowed();
  expect(before).toBe(MANY / 2);
  // The tally, but not the table, gets one more agreement of each kind.
  place.database.command('UPDATE agreement_tally SET number = number + 1')();
  expect(narrowed()).toBe(before + 2);
  place.database.command('UPDATE agreement_tally SET number = number - 1')();
});
