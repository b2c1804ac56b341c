import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import type { AgreementStore } from '../../../../electron/core/ports.ts';
import type { AgreementFilter } from '../../../../shared/contract/agreement-query.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { type AgreementPlace, agreementPlace, storesOf } from './place.ts';
import { newConnection, query, remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

const words = ['lease', 'order', 'öppet', 'åska', 'ende'];

/** Returns agreements that are not in time order; some times are equal, some are missing. */
const some = (count: number, from = 0): RemoteAgreement[] =>
  Array.from({ length: count }, (_, step) => {
    const index = from + step;
    const time = index % 13 === 0 ? null : NOW - ((index * 7919) % 997) * MINUTE;
    const title = `${words[index % words.length] ?? ''} ${String(index)}`;
    return remote({ title, updatedAt: time, native: '{}', parties: [] });
  });

const found = (agreements: AgreementStore, change: object) =>
  agreements.list(query({ limit: 1000, ...change }), NOW).items.map(({ title }) => title);

function titles(received: readonly RemoteAgreement[], word: string): string[] {
  const time = ({ updatedAt }: RemoteAgreement) => updatedAt ?? 0;
  return received
    .map((one, order) => ({ one, order }))
    .filter(({ one }) => one.title.startsWith(word))
    .toSorted((a, b) => time(b.one) - time(a.one) || b.order - a.order)
    .map(({ one }) => one.title);
}

/** Whether the index has the agreements in the order of their times. */
function isInOrder({ database }: Pick<AgreementPlace, 'database'>): boolean {
  const Row = z.object({ place: z.number() });
  const sql = 'SELECT place FROM agreement ORDER BY updated_key, number';
  const places = database
    .query(sql, Row)
    .all()
    .map(({ place }) => place);
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
}

const missingOf = ({ database }: AgreementPlace): number => {
  const Missing = z.object({ number: z.number() });
  const sql = 'SELECT count(*) AS number FROM agreement WHERE place IS NULL';
  return database.query(sql, Missing).only().number;
};

const indexedIn = ({ database }: AgreementPlace): number => {
  const Indexed = z.object({ number: z.number() });
  return database.query('SELECT count(*) AS number FROM agreement_words', Indexed).only().number;
};

function buildAll(agreements: AgreementStore): number {
  for (let steps = 1; ; steps += 1) if (agreements.buildIndex()) return steps;
}

describe('the search index', () => {
  it('keeps the order of updates when agreements are added or changed', () => {
    using place = agreementPlace();
    place.database.transaction(() => {
      const received = some(700);
      for (const one of received) place.put([one]);
      for (const [index, one] of received.entries()) {
        if (index % 3 === 0)
          place.put([{ ...one, updatedAt: NOW - ((index * 31) % 997) * MINUTE }]);
      }
      // Many agreements belong between the same two neighbours.
      const crowd = some(200, 700).map((one) => ({ ...one, updatedAt: NOW - 5.5 * MINUTE }));
      for (const one of crowd.toReversed()) place.put([one]);
    });
    // Agreements without a free position wait for a rebuild, and are still found.
    expect(place.agreements.count({ search: 'lease' }, NOW)).toBe(180);
    buildAll(place.agreements);
    expect(isInOrder(place)).toBe(true);
    expect(place.agreements.count({ search: 'lease' }, NOW)).toBe(180);
  });

  it.each([
    { what: 'a new agreement', number: 20, time: NOW - 4.5 * MINUTE },
    { what: 'a new agreement before all others', number: 20, time: NOW - 40 * MINUTE },
    { what: 'a new agreement without a time', number: 20, time: null },
    { what: 'a new agreement after all others', number: 20, time: NOW + MINUTE },
    { what: 'an agreement that moves forward', number: 12, time: NOW - 2.5 * MINUTE },
    { what: 'an agreement that moves back', number: 3, time: NOW - 9.5 * MINUTE },
    { what: 'an agreement that keeps its neighbours', number: 7, time: NOW - 6.5 * MINUTE },
    { what: 'the newest agreement, which moves to the end', number: 0, time: NOW - 40 * MINUTE },
  ])('stays complete and in order with $what', ({ number, time }) => {
    using place = agreementPlace();
    const received = Array.from({ length: 20 }, (_, index) =>
      remote({ title: `lease ${String(index)}`, updatedAt: NOW - index * MINUTE, parties: [] }),
    );
    place.put(received);
    buildAll(place.agreements);
    const changed = received[number] ?? remote({ title: 'lease 20', parties: [] });
    place.put([{ ...changed, updatedAt: time }]);
    expect(missingOf(place)).toBe(0);
    expect(isInOrder(place)).toBe(true);
    const all = received.map((one, index) =>
      index === number ? { ...one, updatedAt: time } : one,
    );
    if (number === 20) all.push({ ...changed, updatedAt: time });
    expect(found(place.agreements, { search: 'lease' })).toEqual(titles(all, 'lease'));
  });

  it('is rebuilt if its order was lost', () => {
    using place = agreementPlace();
    const times = Array.from({ length: 9 }, (_, index) => NOW + index * MINUTE);
    const received = times.map((updatedAt, index) =>
      remote({ title: `${words[index % 3] ?? ''} ${String(index)}`, updatedAt, parties: [] }),
    );
    place.put(received);
    buildAll(place.agreements);
    // State left by earlier versions: the fourth agreement moved back in time, but not in the
    // index. The fifth waits for indexing, although the index already contains it.
    place.database.command('UPDATE agreement SET updated_at = 1 WHERE number = 4')();
    place.database.command('UPDATE agreement SET place = NULL WHERE number = 5')();
    buildAll(place.agreements);
    expect(isInOrder(place)).toBe(true);
    // The index contains each agreement once: the earlier content is removed.
    expect(indexedIn(place)).toBe(received.length);
    for (const word of words.slice(0, 3)) {
      const expected = received.map(({ title }) => title).filter((title) => title.startsWith(word));
      expect(found(place.agreements, { search: word }).toSorted()).toEqual(expected);
    }
  });

  it('finds an agreement by its ID, the start of its ID, or its number without leading zeros', () => {
    using place = agreementPlace();
    const uuid = remote({ title: 'By UUID', parties: [] });
    place.put([uuid, remote({ id: '004711000001', title: 'By number', parties: [] })]);
    for (const search of [uuid.id, uuid.id.slice(0, 8)]) {
      expect(found(place.agreements, { search })).toEqual(['By UUID']);
    }
    for (const search of ['004711000001', '4711000001', '004711']) {
      expect(found(place.agreements, { search })).toEqual(['By number']);
    }
  });

  it('has the new words, tags and template of a changed agreement, and not the old ones', () => {
    using place = agreementPlace();
    const received = remote({ title: 'Hyresavtal', tags: { case: 'A' } });
    place.put([received]);
    place.put([{ ...received, title: 'Uppdrag', tags: { case: 'B' } }]);
    expect(found(place.agreements, { search: 'hyres' })).toEqual([]);
    expect(found(place.agreements, { tag: 'case=A' })).toEqual([]);
    expect(found(place.agreements, { search: 'uppdrag', tag: 'case=B' })).toEqual(['Uppdrag']);
    place.agreements.setTemplate(place.connection.id, '70001', [received.id, 'nothing']);
    expect(found(place.agreements, { templateId: '70001' })).toEqual(['Uppdrag']);
    expect(found(place.agreements, { templateId: '7000' })).toEqual([]);
  });

  it.each([
    { what: 'the state', change: { state: 'signed', nativeState: 'SIGNED_BY_ALL' } },
    { what: 'a tag', change: { tags: { case: 'B' } } },
    { what: 'the title', change: { title: 'Lease anew' } },
  ] as const)(
    'finds an agreement by its new values if only $what changed, and not its time',
    ({ what, change }) => {
      using place = agreementPlace();
      const told = remote({ title: 'Lease', tags: { case: 'A' } });
      place.put([told]);
      buildAll(place.agreements);
      place.put([{ ...told, ...change }]);
      const counted = (filter: AgreementFilter) =>
        place.agreements.count({ search: 'lease', ...filter }, NOW);
      const isSigned = what === 'the state' ? 1 : 0;
      expect(counted({ states: ['signed'] })).toBe(isSigned);
      expect(counted({ states: ['waiting'] })).toBe(1 - isSigned);
      const isTagged = what === 'a tag' ? 1 : 0;
      expect(counted({ tag: 'case=B' })).toBe(isTagged);
      expect(counted({ tag: 'case=A' })).toBe(1 - isTagged);
      expect(counted({ search: 'anew' })).toBe(what === 'the title' ? 1 : 0);
    },
  );

  it('has no data of an agreement removed with its connection', () => {
    using place = agreementPlace();
    place.put(some(5));
    place.connections.remove(place.connection.id, 'delete', 'keep');
    const other = newConnection();
    place.connections.save(other);
    place.put(some(5), NOW, other);
    expect(found(place.agreements, { search: 'lease' })).toEqual(['lease 0']);
  });
});

describe('a bulk import of agreements', () => {
  it('can be searched and listed immediately, with the same results as after indexing', () => {
    using place = agreementPlace();
    const received = some(400);
    place.agreements.beginBulk();
    place.put(received);
    expect(found(place.agreements, { search: 'öppet' })).toEqual(titles(received, 'öppet'));
    place.agreements.endBulk();
    expect(found(place.agreements, { search: 'oppet' })).toEqual(titles(received, 'öppet'));
    expect(buildAll(place.agreements)).toBeGreaterThan(2);
    expect(found(place.agreements, { search: 'oppet' })).toEqual(titles(received, 'öppet'));
    expect(isInOrder(place)).toBe(true);
  });

  it('is added to the index of earlier agreements', () => {
    using place = agreementPlace();
    const before = some(300);
    place.put(before);
    const other = newConnection();
    place.connections.save(other);
    const bulk = some(2000, 300);
    place.agreements.beginBulk();
    place.put(bulk, NOW, other);
    // One earlier agreement changes now, and another halfway through indexing.
    const [first, second] = before;
    if (first === undefined || second === undefined) throw new Error('too few');
    const changed = { ...first, title: 'lease of today', updatedAt: NOW };
    place.put([changed]);
    place.agreements.endBulk();
    place.agreements.buildIndex();
    const late = { ...second, title: 'lease of old', updatedAt: NOW - 990 * MINUTE };
    place.put([late]);
    const all = [changed, late, ...before.slice(2), ...bulk];
    const sorted = (list: readonly string[]) => list.toSorted();
    const expected = sorted(titles(all, 'lease'));
    expect(sorted(found(place.agreements, { search: 'lease' }))).toEqual(expected);
    buildAll(place.agreements);
    expect(sorted(found(place.agreements, { search: 'lease' }))).toEqual(expected);
    expect(isInOrder(place)).toBe(true);
  });

  it('is indexed completely after the next start if a crash interrupted the indexing', () => {
    using place = agreementPlace();
    const received = some(500);
    place.agreements.beginBulk();
    place.put(received);
    place.agreements.endBulk();
    place.agreements.buildIndex();
    // A killed process leaves this state: the file is not closed, the index not complete.
    const again = openDatabase({ ...place, now: NOW });
    try {
      const { agreements } = storesOf(again);
      expect(found(agreements, { search: 'lease' })).toEqual(titles(received, 'lease'));
      buildAll(agreements);
      expect(agreements.buildIndex()).toBe(true);
      expect(found(agreements, { search: 'lease' })).toEqual(titles(received, 'lease'));
      expect(isInOrder({ database: again })).toBe(true);
    } finally {
      again.close();
    }
    // The first process sees the changes of the second.
    expect(found(place.agreements, { search: 'order' })).toEqual(titles(received, 'order'));
  });

  it('delays indexing until the last of several imports has ended', () => {
    using place = agreementPlace();
    place.agreements.beginBulk();
    place.agreements.beginBulk();
    place.put(some(10));
    place.agreements.endBulk();
    expect(place.agreements.buildIndex()).toBe(true);
    expect(missingOf(place)).toBe(10);
    place.agreements.endBulk();
    buildAll(place.agreements);
    expect(missingOf(place)).toBe(0);
  });
});
