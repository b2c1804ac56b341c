import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  GroupId,
  type PeopleView,
  type Person,
  PersonId,
} from '../../../../shared/contract/people.ts';
import type { PeopleStore } from '../../../../electron/core/people/ports.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const newId = () => PersonId.parse(randomUUID());
const asa: Person = {
  kind: 'person',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  mobile: '+46701234567',
  personNumber: '198507099805',
};
const byName: PeopleView = { text: '', group: null, sort: 'name', direction: 'ascending' };

function put(people: PeopleStore, person: Person, at = NOW, id = newId()): PersonId {
  people.put({ id, person, times: 1, usedAt: at, addedAt: at, changedAt: at });
  return id;
}

const named = (firstName: string, lastName: string): Person => ({
  kind: 'person',
  firstName,
  lastName,
});

describe('the search of people', () => {
  it('matches the start of any word, without accents, and never a personal number', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    put(people, asa);
    const texts = ['oberg', 'asa ÖBERG', 'example.com', 'asa@ex', '1985', '9805', 'oberg nobody'];
    expect(texts.map((text) => people.search(text, 5).length)).toEqual([1, 1, 1, 1, 0, 0, 0]);
  });

  it('finds a phone number in every notation', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    put(people, asa);
    const texts = ['070-123 45', '+46 70 123', '0701234567', '070-999'];
    expect(texts.map((text) => people.search(text, 5).length)).toEqual([1, 1, 1, 0]);
  });

  it('does not find removed or earlier content', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    const id = put(people, asa);
    put(people, { ...asa, lastName: 'Lind' }, NOW + 1, id);
    expect(['oberg', 'lind'].map((text) => people.search(text, 5).length)).toEqual([0, 1]);
    people.remove(id);
    expect(people.search('lind', 5)).toEqual([]);
  });

  it('finds the same people in the same order, whether few or many match', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    const all = Array.from(
      { length: 5000 },
      (_, number) =>
        [
          number % 10 === 0 ? 'Aa' : `Anna ${String(number % 7)}`,
          `Berg ${String(number).padStart(4, '0')}`,
        ] as const,
    );
    place.stores.transaction(() => {
      for (const [first, last] of all) put(people, named(first, last));
    });
    const inOrder = all.map((names) => names.join(' ')).toSorted();
    const expectFound = (text: string, isFound: (title: string) => boolean, from: number): void => {
      const expected = inOrder.filter(isFound);
      const { items, total } = people.window({ ...byName, text }, from, 3);
      expect(total).toBe(expected.length);
      expect(
        items.map(({ person }) => `${person.firstName ?? ''} ${person.lastName ?? ''}`),
      ).toEqual(expected.slice(from, from + 3));
    };
    // More people match than are looked up one by one.
    expectFound('ANN', (title) => title.startsWith('Anna'), 700);
    expectFound('berg 44', (title) => title.includes('Berg 44'), 97);
  });
});

describe('the list of people', () => {
  it('is sorted by Swedish rules, by last contact, or by last change', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    put(people, named('Örjan', 'Ek'), NOW + 2);
    put(people, named('Zoe', 'Ek'), NOW + 1);
    put(people, named('anna', 'Ek'), NOW + 3);
    const titles = (view: Partial<PeopleView>) =>
      people.window({ ...byName, ...view }, 0, 9).items.map(({ person }) => person.firstName);
    expect(titles({})).toEqual(['anna', 'Zoe', 'Örjan']);
    expect(titles({ sort: 'used', direction: 'descending' })).toEqual(['anna', 'Örjan', 'Zoe']);
    expect(titles({ sort: 'changed' })).toEqual(['Zoe', 'Örjan', 'anna']);
  });

  it('shows each member of a group once', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    const group = GroupId.parse(randomUUID());
    people.addGroup(group, 'Board', NOW);
    const id = put(people, asa);
    put(people, named('Bo', 'Lind'));
    people.addMember(group, id, null);
    people.addMember(group, id, null);
    expect(people.window({ ...byName, group }, 0, 9)).toMatchObject({ total: 1, items: [{ id }] });
    expect(people.window({ ...byName, group, text: 'bo' }, 0, 9).total).toBe(0);
    expect(people.groups()).toMatchObject([{ name: 'Board', members: 1, api: null }]);
  });
});

it('pairs of people with a common key are found by an index, except those marked as different', () => {
  using place = tempDatabase();
  const { people } = place.stores;
  const [first, second, third] = [
    put(people, asa),
    put(people, { ...asa, firstName: 'Asa' }),
    put(people, { kind: 'person', lastName: 'Other', email: 'ASA@example.com' }),
  ];
  const pairs = () => people.pairs().map((pair) => pair.map(({ id }) => id).toSorted());
  expect(pairs()).toHaveLength(3);
  people.keepApart(third, first);
  expect(pairs()).toEqual(expect.arrayContaining([[first, second].toSorted()]));
  expect(pairs()).toHaveLength(2);
});

it('of similar people, the last contacted person comes first', () => {
  using place = tempDatabase();
  const { people } = place.stores;
  const [middle, first, last] = [
    put(people, { ...asa, mobile: '+46701111111' }, NOW + 2),
    put(people, { ...asa, mobile: '+46702222222' }, NOW + 3),
    put(people, { ...asa, mobile: '+46703333333' }, NOW + 1),
  ];
  expect(people.alike(asa).map(({ id }) => id)).toEqual([first, middle, last]);
});

it('a people list in any order is read from an index', () => {
  using place = tempDatabase();
  const plan = place.database
    .query(
      'EXPLAIN QUERY PLAN SELECT content FROM person AS p ORDER BY p.title_key, p.number LIMIT 9',
      z.object({ detail: z.string() }),
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain('person_by_title');
});
