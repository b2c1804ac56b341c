import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { type Person, PersonId } from '../../../shared/contract/people.ts';
import { peopleIn } from '../../../shared/rules/people/people.ts';
import { changesBetween, isSameParty, withNewValues } from '../../../shared/rules/people/same.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Chance, Clock, Stores } from '../ports.ts';
import type { PeopleStore, StoredPerson } from './ports.ts';

interface RememberPorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

/** Returns the entry of this person; null if the address book has none. */
export function findBookEntry(people: PeopleStore, person: Person): StoredPerson | null {
  return people.alike(person).find((known) => isSameParty(known.person, person)) ?? null;
}

/** Saves the parties of a sent draft in the address book, to offer them in later drafts. */
export function rememberPeople(ports: RememberPorts, content: DraftContent): void {
  const now = ports.clock.now();
  const { people } = ports.stores;
  ports.stores.transaction(() => {
    for (const person of peopleIn(content, dayOf(now))) {
      const known = findBookEntry(people, person);
      people.put(
        known === null ? toNewEntry(ports, person, now) : toUpdatedEntry(known, person, now),
      );
    }
  });
  ports.emit('people.changed', {});
}

function toNewEntry({ chance }: RememberPorts, person: Person, now: number): StoredPerson {
  const id = PersonId.parse(chance.uuid());
  return { id, person, times: 1, usedAt: now, addedAt: now, changedAt: now, learnedAt: now };
}

/**
 * Whether all data of an entry comes from sends. Entries of earlier versions have no `learnedAt`: of
 * these, only an entry that one send added and that never changed is recognised.
 */
export function isLearned(row: StoredPerson): boolean {
  const { times, usedAt, addedAt, changedAt, learnedAt } = row;
  if (learnedAt !== undefined) return learnedAt === changedAt;
  return times === 1 && usedAt === addedAt && changedAt === addedAt;
}

/** Returns the entry with data that comes from agreements. A user's entry stays a user's entry. */
export const withLearnedData = (row: StoredPerson, person: Person, now: number): StoredPerson => ({
  ...row,
  person,
  changedAt: now,
  learnedAt: isLearned(row) ? now : row.learnedAt,
});

/**
 * Returns the entry with the values of a draft's party. Values that the draft lacks are kept,
 * because it has only those that one agreement needs.
 */
function toUpdatedEntry(known: StoredPerson, given: Person, now: number): StoredPerson {
  const person = withNewValues(known.person, given);
  const isChanged = changesBetween(known.person, person).length > 0;
  const row = isChanged ? withLearnedData(known, person, now) : known;
  return { ...row, times: known.times + 1, usedAt: now };
}
