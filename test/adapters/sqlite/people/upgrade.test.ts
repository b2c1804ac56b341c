import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { GroupId } from '../../../../shared/contract/people.ts';
import { partiesOf } from '../../../../shared/rules/people/members.ts';
import { layOldData, OLD_KEY } from '../../../support/old-data.ts';
import { NOW, tempFolder } from '../temp-database.ts';

const BEFORE = 16;
const id = GroupId.parse('00000000-0000-4000-8000-0000000000aa');
const astrid = { firstName: 'Astrid', lastName: 'Öberg', email: 'new@example.com' };
const parties = [
  { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] },
  { type: 'PRIVATE', ...astrid, signingOrder: 2, signingConfigurations: [{ type: 'CLICK' }] },
];

it('an upgrade turns sets of parties into groups, with their people and settings in the address book', () => {
  using place = tempFolder();
  layOldData(BEFORE, place.file);
  const raw = connect(place.file, OLD_KEY, 'write');
  const before = raw.prepare('SELECT count(*) FROM person').pluck().get();
  raw
    .prepare('INSERT INTO party_set (id, name, content, saved_at) VALUES (?, ?, ?, ?)')
    .run(id, 'Styrelsen', JSON.stringify({ api: 'v1', parties }), NOW);
  raw.close();

  const database = openDatabase({ ...place, key: OLD_KEY, now: NOW });
  const { people } = createStores(database);
  expect(people.groups()).toMatchObject([{ id, name: 'Styrelsen', members: 2, api: 'v1' }]);
  const taken = partiesOf(people.members(id), 'v1', '2026-11-21');
  expect(taken).toEqual({ content: { api: 'v1', parties }, people: [] });
  expect(people.search('new@example', 5)).toMatchObject([{ person: astrid, times: 0 }]);
  expect(people.portion(null, -1, 99).rows).toHaveLength(Number(before) + 1);
  database.close();
});
