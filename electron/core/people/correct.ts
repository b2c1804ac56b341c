import type { Emit } from '../../../shared/contract/index.ts';
import type { Person } from '../../../shared/contract/people.ts';
import { haveDifferentFacts, keysOf, withNewValues } from '../../../shared/rules/people/same.ts';
import type { Clock, Stores } from '../ports.ts';
import type { PeopleStore, StoredPerson } from './ports.ts';
import { isLearned, withLearnedData } from './remember.ts';

interface CorrectPorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

interface CorrectedAddress {
  readonly kind: Person['kind'];
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces an address that was wrong in an agreement: address book entries with this name and the
 * old address get the new one. If an entry with this name already has the new address, an entry
 * that a send added is merged into it. An entry that a user wrote stays, and the user can merge the
 * two entries.
 */
export function correctAddress(
  { stores, clock, emit }: CorrectPorts,
  { kind, name, from, to }: CorrectedAddress,
): void {
  const { people } = stores;
  const meant = keysOf({ kind, name, email: from });
  const corrected = keysOf({ kind, name, email: to });
  const now = clock.now();
  stores.transaction(() => {
    const named = [...people.alike({ kind, email: from }), ...people.alike({ kind, email: to })]
      .map((row) => ({ row, keys: keysOf(row.person) }))
      .filter(({ keys }) => keys.name === meant.name);
    const right = named.find(({ keys }) => keys.email === corrected.email)?.row;
    const isSameAddress = meant.email === corrected.email;
    for (const { row, keys } of named) {
      if (keys.email !== meant.email || isSameAddress) continue;
      if (right === undefined) {
        people.put(withLearnedData(row, { ...row.person, email: to }, now));
      } else {
        // An earlier entry may have been merged into this one.
        const kept = people.get(right.id);
        if (mayMerge(people, row, kept)) mergeInto(people, kept, row, now);
      }
    }
  });
  emit('people.changed', {});
}

/** Whether merging keeps all that a user typed or decided, except the wrong address. */
function mayMerge(people: PeopleStore, wrong: StoredPerson, kept: StoredPerson): boolean {
  if (!isLearned(wrong) || haveDifferentFacts(wrong.person, kept.person)) return false;
  const groups = new Set(people.groupsOf(kept.id));
  const isInSameGroup = people.groupsOf(wrong.id).some((group) => groups.has(group));
  return !isInSameGroup && !people.areKeptApart(wrong.id, kept.id);
}

function mergeInto(people: PeopleStore, kept: StoredPerson, gone: StoredPerson, now: number): void {
  const { times, usedAt, addedAt } = gone;
  people.put({
    ...withLearnedData(kept, withNewValues(gone.person, kept.person), now),
    times: kept.times + times,
    usedAt: Math.max(kept.usedAt, usedAt),
    addedAt: Math.min(kept.addedAt, addedAt),
  });
  people.moveMemberships(gone.id, kept.id);
  people.remove(gone.id);
}
