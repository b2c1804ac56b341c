import * as z from 'zod';
import {
  GroupId,
  MemberChoices,
  type Person,
  type PersonId,
} from '../../../../shared/contract/people.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { BookSnapshot, PeopleStore, StoredPerson } from '../../../core/people/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createCollected } from './collected.ts';
import { createErasure } from './erasure.ts';
import { createGroups } from './groups.ts';
import { personColumns } from './person-columns.ts';
import { personFields, PersonRow } from './rows.ts';
import { createPeopleWindow } from './window.ts';

/**
 * Maximum number of entries that share a key. If more do, the key is a common address, such as an
 * office's, and identifies no person.
 */
const MAX_SIMILAR_PEOPLE = 200;
const MAX_PAIRS = 400;

const duplicateKeys = ['number', 'email', 'mobile', 'name'] as const;

/**
 * Returns SQL for pairs of entries with the same key; a key shared by more than 20 entries proves
 * nothing.
 */
const pairsBy = (key: (typeof duplicateKeys)[number]): string => `
  SELECT a.number AS first, b.number AS second FROM (
    SELECT ${key}_key AS value FROM person WHERE ${key}_key IS NOT NULL
    GROUP BY ${key}_key HAVING count(*) BETWEEN 2 AND 20) AS both
  CROSS JOIN person AS a ON a.${key}_key = both.value AND a.${key}_key IS NOT NULL
  CROSS JOIN person AS b ON b.${key}_key = both.value AND b.${key}_key IS NOT NULL
    AND b.number > a.number`;

const sql = {
  get: `SELECT ${personFields()} FROM person WHERE id = @id`,
  portion: `
    SELECT ${personFields()}, number FROM person WHERE number > @after ORDER BY number LIMIT @limit`,
  portionOfGroup: `
    SELECT ${personFields()}, number FROM person
    WHERE number > @after AND id IN (SELECT person_id FROM group_member WHERE group_id = @group)
    ORDER BY number LIMIT @limit`,
  alike: `
    SELECT ${personFields()} FROM person
    WHERE number_key = @numberKey OR email_key = @emailKey OR mobile_key = @mobileKey
      OR name_key = @nameKey
    ORDER BY used_at DESC, number LIMIT ${String(MAX_SIMILAR_PEOPLE)}`,
  put: `
    INSERT INTO person (id, kind, content, title_key, number_key, email_key, mobile_key, name_key,
      words, times, used_at, added_at, changed_at)
    VALUES (@id, @kind, @content, @titleKey, @numberKey, @emailKey, @mobileKey, @nameKey, @words,
      @times, @usedAt, @addedAt, @changedAt)
    ON CONFLICT (id) DO UPDATE SET kind = @kind, content = @content, title_key = @titleKey,
      number_key = @numberKey, email_key = @emailKey, mobile_key = @mobileKey,
      name_key = @nameKey, words = @words, times = @times, used_at = @usedAt,
      changed_at = @changedAt`,
  remove: 'DELETE FROM person WHERE id = @id',
  memberships: `
    SELECT group_id AS "group", place, choices FROM group_member
    WHERE person_id = @id ORDER BY group_id, place`,
  leaveGroups: 'DELETE FROM group_member WHERE person_id = @id',
  // If another member has this position by now, for example after a merge, the member is added at
  // the end.
  rejoin: `
    INSERT INTO group_member (group_id, place, person_id, choices)
    SELECT @group, CASE WHEN EXISTS (
        SELECT 1 FROM group_member WHERE group_id = @group AND place = @place)
      THEN (SELECT max(place) + 1 FROM group_member WHERE group_id = @group) ELSE @place END,
      @id, @choices
    FROM person_group WHERE id = @group`,
  pairs: `
    WITH pair AS (${duplicateKeys.map(pairsBy).join(' UNION ')})
    SELECT a.id AS first, b.id AS second FROM pair
    CROSS JOIN person AS a ON a.number = pair.first CROSS JOIN person AS b ON b.number = pair.second
    WHERE NOT EXISTS (SELECT 1 FROM person_apart WHERE first_id = a.id AND second_id = b.id)
      AND NOT EXISTS (SELECT 1 FROM person_apart WHERE first_id = b.id AND second_id = a.id)
    ORDER BY a.title_key, pair.first, pair.second LIMIT ${String(MAX_PAIRS)}`,
  keepApart: `
    INSERT INTO person_apart (first_id, second_id) VALUES (@first, @second)
    ON CONFLICT (first_id, second_id) DO NOTHING`,
  areKeptApart: `
    SELECT 1 AS isApart FROM person_apart
    WHERE (first_id = @first AND second_id = @second) OR (first_id = @second AND second_id = @first)`,
};

const MembershipRow = z.object({
  group: GroupId,
  place: z.number().int(),
  choices: jsonColumn(MemberChoices).nullable(),
});
const DuplicatePairRow = z.object({ first: PersonRow.shape.id, second: PersonRow.shape.id });

export function createPeopleStore(database: Database): PeopleStore {
  const { get, portion, portionOfGroup, alike, memberships, pairs, areKeptApart, ...commands } =
    prepare(database);
  const groups = createGroups(database);
  const one = (id: PersonId): StoredPerson => get.first({ id }) ?? throwMissingPerson(id);
  const put = (row: StoredPerson): void => {
    const { person, learnedAt, ...rest } = row;
    const content = JSON.stringify({ ...person, learnedAt });
    commands.put({ ...rest, ...personColumns(person), content });
  };
  return {
    ...createPeopleWindow(database),
    ...groups,
    ...createErasure(database),
    ...createCollected(database),
    get: one,
    portion: (group, after, limit) => {
      const found =
        group === null
          ? portion.all({ after, limit })
          : portionOfGroup.all({ group, after, limit });
      const rows = found.map(({ number: _number, ...row }) => row);
      return { rows, after: found.at(-1)?.number ?? after };
    },
    alike: (person: Person) => alike.all(keysIn(person)),
    put,
    remove: (id) => {
      if (commands.remove({ id }) === 0) throwMissingPerson(id);
    },
    snapshot: (ids) =>
      ids.map((id) => ({
        id,
        row: get.first({ id }) ?? null,
        memberships: memberships.all({ id }),
      })),
    restore: (snapshots) => {
      database.transaction(() => {
        for (const snapshot of snapshots) restore(snapshot);
      });
    },
    pairs: () => pairs.all().map(({ first, second }) => [one(first), one(second)] as const),
    keepApart: (first, second) => void commands.keepApart({ first, second }),
    areKeptApart: (first, second) => areKeptApart.first({ first, second }) !== undefined,
  };

  function restore({ id, row, memberships: places }: BookSnapshot): void {
    if (row === null) {
      commands.remove({ id });
      return;
    }
    put(row);
    commands.leaveGroups({ id });
    for (const { group, place, choices } of places) {
      commands.rejoin({ id, group, place, choices: choices && JSON.stringify(choices) });
    }
  }
}

function keysIn(person: Person) {
  const { numberKey, emailKey, mobileKey, nameKey } = personColumns(person);
  return {
    numberKey: numberKey ?? null,
    emailKey: emailKey ?? null,
    mobileKey: mobileKey ?? null,
    nameKey: nameKey ?? null,
  };
}

const prepare = (database: Database) => {
  const Numbered = PersonRow.extend({ number: z.number().int() });
  return {
    get: database.query(sql.get, PersonRow),
    portion: database.query(sql.portion, Numbered),
    portionOfGroup: database.query(sql.portionOfGroup, Numbered),
    alike: database.query(sql.alike, PersonRow),
    memberships: database.query(sql.memberships, MembershipRow),
    pairs: database.query(sql.pairs, DuplicatePairRow),
    put: database.command(sql.put),
    remove: database.command(sql.remove),
    leaveGroups: database.command(sql.leaveGroups),
    rejoin: database.command(sql.rejoin),
    keepApart: database.command(sql.keepApart),
    areKeptApart: database.query(sql.areKeptApart, z.object({ isApart: z.number() })),
  };
};

function throwMissingPerson(id: PersonId): never {
  throw new AppError('not-found', `There is no person ${id}`);
}
