import type { Emit } from '../../../shared/contract/index.ts';
import type { Person } from '../../../shared/contract/people.ts';
import { keysOf } from '../../../shared/rules/people/same.ts';
import type { Clock, Stores } from '../ports.ts';

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
 * old address get the new one. If an entry with this name already has the new address, nothing
 * changes, and the user can merge the two entries.
 */
export function correctAddress(
  { stores, clock, emit }: CorrectPorts,
  { kind, name, from, to }: CorrectedAddress,
): void {
  const { people } = stores;
  const meant = keysOf({ kind, name, email: from });
  const corrected = keysOf({ kind, name, email: to });
  stores.transaction(() => {
    const named = [...people.alike({ kind, email: from }), ...people.alike({ kind, email: to })]
      .map((row) => ({ row, keys: keysOf(row.person) }))
      .filter(({ keys }) => keys.name === meant.name);
    if (named.some(({ keys }) => keys.email === corrected.email)) return;
    for (const { row, keys } of named) {
      if (keys.email !== meant.email) continue;
      people.put({ ...row, person: { ...row.person, email: to }, changedAt: clock.now() });
    }
  });
  emit('people.changed', {});
}
