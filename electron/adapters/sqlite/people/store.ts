import * as z from 'zod';
import { Instant } from '../../../../shared/model/ids.ts';
import {
  PartySetContent,
  PartySetId,
  Person,
  PersonId,
} from '../../../../shared/contract/people.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { PeopleStore } from '../../../core/people/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { foldText } from '../database/text-keys.ts';

const sql = {
  search: `
    SELECT id, content AS person, used_at AS usedAt FROM person
    WHERE NOT EXISTS (
      SELECT 1 FROM json_each(@words) AS word WHERE instr(person.search_text, word.value) = 0)
    ORDER BY used_at DESC, id LIMIT @most`,
  get: 'SELECT content AS person FROM person WHERE id = @id',
  remember: `
    INSERT INTO person (id, kind, key, search_text, content, used_at)
    VALUES (@id, @kind, @key, @searchText, @content, @at)
    ON CONFLICT (key) DO UPDATE SET search_text = @searchText, content = @content,
      times = times + 1, used_at = @at`,
  remove: 'DELETE FROM person WHERE id = @id',
  sets: 'SELECT id, name, content FROM party_set ORDER BY name, id',
  set: 'SELECT id, name, content FROM party_set WHERE id = @id',
  saveSet: `
    INSERT INTO party_set (id, name, content, saved_at) VALUES (@id, @name, @content, @at)`,
  removeSet: 'DELETE FROM party_set WHERE id = @id',
};

const One = z.object({ person: jsonColumn(Person) });
const Found = One.extend({ id: PersonId, usedAt: Instant });
const Set = z.object({ id: PartySetId, name: z.string(), content: jsonColumn(PartySetContent) });

export function createPeopleStore(database: Database): PeopleStore {
  const search = database.query(sql.search, Found);
  const get = database.query(sql.get, One);
  const remember = database.command(sql.remember);
  const remove = database.command(sql.remove);
  const sets = database.query(sql.sets, Set);
  const set = database.query(sql.set, Set);
  const saveSet = database.command(sql.saveSet);
  const removeSet = database.command(sql.removeSet);

  return {
    search: (words, most) => search.all({ words: JSON.stringify(words.map(foldText)), most }),
    get: (id) => get.first({ id })?.person ?? missing('person', id),
    remember: (id, key, person, at) => {
      const content = JSON.stringify(person);
      const { kind, personNumber: _, ...seen } = person;
      const searchText = foldText(Object.values(seen).join('\n'));
      remember({ id, kind, key, searchText, content, at });
    },
    remove: (id) => {
      if (remove({ id }) === 0) missing('person', id);
    },
    sets: () => sets.all(),
    set: (id) => set.first({ id }) ?? missing('set of parties', id),
    saveSet: ({ id, name, content }, at) => {
      saveSet({ id, name, content: JSON.stringify(content), at });
    },
    removeSet: (id) => {
      if (removeSet({ id }) === 0) missing('set of parties', id);
    },
  };
}

function missing(what: string, id: string): never {
  throw new AppError('not-found', `There is no ${what} ${id}`);
}
