import { randomUUID } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { PartiesContent, Person } from '../../../../shared/contract/people.ts';
import { membersOf } from '../../../../shared/rules/people/members.ts';
import { isSameParty } from '../../../../shared/rules/people/same.ts';
import { dayOf } from '../../../../shared/rules/time/days.ts';
import { jsonColumn } from '../database/columns.ts';
import { personColumns } from '../people/person-columns.ts';

const Known = z.object({ id: z.string(), content: jsonColumn(Person) });
const Before = Known.extend({ times: z.number(), usedAt: z.number() });
const PartySet = z.object({
  id: z.string(),
  name: z.string(),
  content: jsonColumn(PartiesContent),
  savedAt: z.number(),
});

const sql = {
  people: `
    SELECT id, content, times, used_at AS usedAt FROM person_before ORDER BY used_at, id`,
  sets: 'SELECT id, name, content, saved_at AS savedAt FROM party_set ORDER BY saved_at, id',
  insert: `
    INSERT INTO person (id, kind, content, title_key, number_key, email_key, mobile_key, name_key,
      words, times, used_at, added_at, changed_at)
    VALUES (@id, @kind, @content, @titleKey, @numberKey, @emailKey, @mobileKey, @nameKey, @words,
      @times, @usedAt, @usedAt, @usedAt)`,
  alike: `
    SELECT id, content FROM person
    WHERE number_key = @numberKey OR email_key = @emailKey OR mobile_key = @mobileKey
      OR name_key = @nameKey
    ORDER BY used_at DESC, number`,
  group: 'INSERT INTO person_group (id, name, saved_at) VALUES (@id, @name, @savedAt)',
  member: `
    INSERT INTO group_member (group_id, place, person_id, choices)
    VALUES (@group, @place, @person, @choices)`,
};

/** Takes over who was written to, and sets of parties as groups of them with their choices. */
export function fillAddressBook(raw: Sqlite.Database): void {
  const insert = raw.prepare(sql.insert);
  const rows: readonly unknown[] = raw.prepare(sql.people).all();
  for (const row of rows) {
    const { id, content, times, usedAt } = Before.parse(row);
    insert.run({ id, times, usedAt, ...personColumns(content) });
  }
  const alike = raw.prepare(sql.alike);
  const entryOf = (person: Person, savedAt: number): string => {
    const columns = personColumns(person);
    const found: readonly unknown[] = alike.all(columns);
    const known = found
      .map((one) => Known.parse(one))
      .find(({ content }) => isSameParty(content, person));
    const id = known?.id ?? randomUUID();
    if (known === undefined) insert.run({ id, times: 0, usedAt: savedAt, ...columns });
    return id;
  };
  const group = raw.prepare(sql.group);
  const member = raw.prepare(sql.member);
  const sets: readonly unknown[] = raw.prepare(sql.sets).all();
  for (const row of sets) {
    const { id, name, content, savedAt } = PartySet.parse(row);
    group.run({ id, name, savedAt });
    for (const [place, { person, choices }] of membersOf(content, dayOf(savedAt)).entries()) {
      const entry = person === null ? null : entryOf(person, savedAt);
      member.run({ group: id, place, person: entry, choices: JSON.stringify(choices) });
    }
  }
  raw.exec('DROP TABLE person_before; DROP TABLE party_set');
}
