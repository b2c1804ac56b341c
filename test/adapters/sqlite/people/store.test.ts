import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { PersonId } from '../../../../shared/contract/people.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const newId = () => PersonId.parse(randomUUID());
const asa = {
  kind: 'person' as const,
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  personNumber: '198507099805',
};

it('a person is found by any of the words, without accents, and never by the personal number', () => {
  using place = tempDatabase();
  const { people } = place.stores;
  people.remember(newId(), 'a', asa, NOW);
  const found = (text: string) => people.search(text.split(' '), 5).length;
  expect(['oberg', 'asa ÖBERG', 'example.com', '1985', 'oberg nobody'].map(found)).toEqual([
    1, 1, 1, 0, 0,
  ]);
});

it('the same person again is renewed, and the last used come first', () => {
  using place = tempDatabase();
  const { people } = place.stores;
  people.remember(newId(), 'a', asa, NOW);
  people.remember(newId(), 'b', { kind: 'company', name: 'Berg AB' }, NOW + 1);
  people.remember(newId(), 'a', { ...asa, email: 'new@example.com' }, NOW + 2);
  const found = people.search([], 5).map(({ person }) => person);
  expect(found).toEqual([
    { ...asa, email: 'new@example.com' },
    { kind: 'company', name: 'Berg AB' },
  ]);
});
