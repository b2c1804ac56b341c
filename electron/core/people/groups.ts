import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import { GroupId, PersonId, type Person } from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import { membersOf, partiesOf } from '../../../shared/rules/people/members.ts';
import { changesBetween, withNewValues } from '../../../shared/rules/people/same.ts';
import { isSameName } from '../../../shared/rules/text/same-name.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { Chance, Clock, Stores } from '../ports.ts';
import { findBookEntry } from './remember.ts';

interface GroupPorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

type GroupCallName =
  | 'groups'
  | 'saveGroup'
  | 'renameGroup'
  | 'removeGroup'
  | 'setMember'
  | 'takeGroup';

export function createPeopleGroupHandlers(
  ports: GroupPorts,
): Pick<Handlers, `people.${GroupCallName}`> {
  const { stores, clock, chance, emit } = ports;
  const { people } = stores;
  const rejectTaken = (name: string, except: GroupId | null): void => {
    if (!people.groups().some((one) => one.id !== except && isSameName(one.name, name))) return;
    throw new AppError('invalid', `A group named "${name}" already exists`, {
      reason: 'name-taken',
    });
  };
  const changed = <Result>(work: () => Result): Result => {
    const result = stores.transaction(work);
    emit('people.changed', {});
    return result;
  };
  return {
    'people.groups': async () => [...people.groups()],
    'people.saveGroup': async ({ name, content }) => {
      rejectTaken(name, null);
      const now = clock.now();
      const id = GroupId.parse(chance.uuid());
      const members = content === null ? [] : membersOf(content, dayOf(now));
      return changed(() => {
        people.addGroup(id, name, now);
        for (const { person, choices } of members) {
          people.addMember(id, person === null ? null : entryOf(ports, person), choices);
        }
        return people.group(id);
      });
    },
    'people.renameGroup': async ({ id, name }) => {
      rejectTaken(name, id);
      changed(() => people.renameGroup(id, name));
      return people.group(id);
    },
    'people.removeGroup': async ({ id }) => {
      changed(() => people.removeGroup(id));
      return {};
    },
    'people.setMember': async ({ id, group, isIn }) => {
      people.group(group);
      people.get(id);
      changed(() => (isIn ? people.addMember(group, id, null) : people.dropMember(group, id)));
      return {};
    },
    'people.takeGroup': async ({ id, api }) => {
      people.group(id);
      const { content, people: others } = partiesOf(people.members(id), api, dayOf(clock.now()));
      return { content, people: [...others] };
    },
  };
}

/** Returns the ID of a member's entry; adds the entry if the address book does not have it. */
function entryOf({ stores, chance, clock }: GroupPorts, person: Person): PersonId {
  const { people } = stores;
  const now = clock.now();
  const known = findBookEntry(people, person);
  if (known !== null) {
    const more = withNewValues(known.person, person);
    const isChanged = changesBetween(known.person, more).length > 0;
    if (isChanged) people.put({ ...known, person: more, changedAt: now });
    return known.id;
  }
  const id = PersonId.parse(chance.uuid());
  people.put({ id, person, times: 0, usedAt: now, addedAt: now, changedAt: now });
  return id;
}
