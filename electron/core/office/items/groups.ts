import { GroupId, PersonId } from '../../../../shared/contract/people.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import {
  GroupMembers,
  OWN_COMPANY_ID,
  SharedGroup,
} from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { isSameName } from '../../../../shared/rules/text/same-name.ts';
import { orNull } from '../../app-error.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

/**
 * Groups of people, with the choices for each member. A group that contains a personal number is
 * not shared, because all users can read groups.
 */
export function createGroupItems({ stores, clock }: KeeperPorts): ItemKeeper {
  const { people } = stores;
  const contentOf = ({ id, name }: { readonly id: GroupId; readonly name: string }): Json => ({
    name,
    members: people.members(id).map(({ id: person, choices }) => ({
      member: person ?? OWN_COMPANY_ID,
      choices,
    })),
  });
  const known = (id: string) => orNull(() => people.group(GroupId.parse(id))) ?? undefined;
  const add = (id: GroupId, { name, members }: SharedGroup): void => {
    people.addGroup(id, name, clock.now());
    for (const { member, choices } of members) {
      // A removed person is not added to the group.
      const isHere = member === OWN_COMPANY_ID || people.snapshot([member])[0]?.row !== null;
      if (isHere) people.addMember(id, member === OWN_COMPANY_ID ? null : member, choices);
    }
  };
  return {
    shape: { fields: { members: { parts: 'member', each: 'one' } } },
    list: () => new Map(people.groups().map((one) => [one.id, contentOf(one)])),
    read(id) {
      const group = known(id);
      return group === undefined ? undefined : contentOf(group);
    },
    write(id, content) {
      const group = known(id);
      if (group !== undefined) people.removeGroup(group.id);
      if (content !== undefined) add(GroupId.parse(id), SharedGroup.parse(content));
      return true;
    },
    adopt(id, content, isKnown) {
      const { name } = SharedGroup.parse(content);
      const same = people.groups().find((one) => !isKnown(one.id) && isSameName(one.name, name));
      if (same === undefined) return;
      const own = SharedGroup.parse(contentOf(same));
      people.removeGroup(same.id);
      add(GroupId.parse(id), own);
    },
    isWithheld(id) {
      const group = known(id);
      return group !== undefined && containsPersonNumber(contentOf(group));
    },
    titleOf: (_id, content) => SharedGroup.parse(content).name,
    textOf,
  };

  function textOf(content: Content): string | null {
    if (typeof content === 'string') return content;
    const group = SharedGroup.safeParse(content);
    if (group.success) return group.data.name;
    const members = GroupMembers.safeParse(content);
    return members.success ? members.data.map(nameOf).join(', ') : null;
  }

  function nameOf(member: string): string {
    const id = PersonId.safeParse(member);
    const row = id.success ? people.snapshot([id.data])[0]?.row : null;
    return row?.person.name ?? [row?.person.firstName, row?.person.lastName].join(' ').trim();
  }
}
