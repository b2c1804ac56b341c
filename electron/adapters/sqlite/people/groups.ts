import * as z from 'zod';
import { ApiName } from '../../../../shared/model/ids.ts';
import { GroupId, MemberChoices, Person, PersonId } from '../../../../shared/contract/people.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { PeopleStore } from '../../../core/people/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const groupFieldsSql = `
  id, name,
  (SELECT count(DISTINCT coalesce(person_id, place)) FROM group_member
    WHERE group_id = person_group.id) AS members,
  (SELECT max(choices ->> '$.api') FROM group_member WHERE group_id = person_group.id) AS api`;

const sql = {
  groups: `SELECT ${groupFieldsSql} FROM person_group ORDER BY name COLLATE NOCASE, id`,
  group: `SELECT ${groupFieldsSql} FROM person_group WHERE id = @id`,
  members: `
    SELECT person_id AS id, person.content AS person, choices FROM group_member
    LEFT JOIN person ON person.id = group_member.person_id
    WHERE group_id = @id ORDER BY place`,
  add: 'INSERT INTO person_group (id, name, saved_at) VALUES (@id, @name, @at)',
  addMember: `
    INSERT INTO group_member (group_id, place, person_id, choices)
    SELECT @group, coalesce(max(place) + 1, 0), @person, @choices
    FROM group_member WHERE group_id = @group`,
  isMember: `
    SELECT 1 AS is_in FROM group_member WHERE group_id = @group AND person_id = @person LIMIT 1`,
  dropMember: 'DELETE FROM group_member WHERE group_id = @group AND person_id = @person',
  rename: 'UPDATE person_group SET name = @name WHERE id = @id',
  remove: 'DELETE FROM person_group WHERE id = @id',
  groupsOf: `
    SELECT DISTINCT group_id AS id FROM group_member WHERE person_id = @person ORDER BY group_id`,
  // If both people are in a group, the group keeps the choices of the person who stays.
  dropBoth: `
    DELETE FROM group_member WHERE person_id = @from AND group_id IN (
      SELECT group_id FROM group_member WHERE person_id = @to)`,
  move: 'UPDATE group_member SET person_id = @to WHERE person_id = @from',
};

const Group = z.object({
  id: GroupId,
  name: z.string(),
  members: z.number().int(),
  api: ApiName.nullable(),
});
const MemberRow = z.object({
  id: PersonId.nullable(),
  person: jsonColumn(Person).nullable(),
  choices: jsonColumn(MemberChoices).nullable(),
});

type GroupMethods = Pick<
  PeopleStore,
  | 'groups'
  | 'group'
  | 'members'
  | 'addGroup'
  | 'addMember'
  | 'dropMember'
  | 'renameGroup'
  | 'removeGroup'
  | 'groupsOf'
  | 'moveMemberships'
>;

export function createGroups(database: Database): GroupMethods {
  const groups = database.query(sql.groups, Group);
  const group = database.query(sql.group, Group);
  const members = database.query(sql.members, MemberRow);
  const isMember = database.query(sql.isMember, z.object({ is_in: z.number() }));
  const groupsOf = database.query(sql.groupsOf, z.object({ id: GroupId }));
  const add = database.command(sql.add);
  const addMember = database.command(sql.addMember);
  const dropMember = database.command(sql.dropMember);
  const rename = database.command(sql.rename);
  const remove = database.command(sql.remove);
  const dropBoth = database.command(sql.dropBoth);
  const move = database.command(sql.move);
  const missing = (id: GroupId): never => {
    throw new AppError('not-found', `There is no group ${id}`);
  };
  return {
    groups: () => groups.all(),
    group: (id) => group.first({ id }) ?? missing(id),
    members: (id) => members.all({ id }),
    addGroup: (id, name, at) => void add({ id, name, at }),
    addMember: (into, person, choices) => {
      if (person !== null && choices === null && isMember.first({ group: into, person })) return;
      addMember({ group: into, person, choices: choices && JSON.stringify(choices) });
    },
    dropMember: (from, person: PersonId) => void dropMember({ group: from, person }),
    renameGroup: (id, name) => {
      if (rename({ id, name }) === 0) missing(id);
    },
    removeGroup: (id) => {
      if (remove({ id }) === 0) missing(id);
    },
    groupsOf: (person) => groupsOf.all({ person }).map(({ id }) => id),
    moveMemberships: (from, to) => {
      dropBoth({ from, to });
      move({ from, to });
    },
  };
}
