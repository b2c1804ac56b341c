import type { Chance, Stores } from '../ports.ts';

interface AnotherDeskPorts {
  readonly stores: Pick<Stores, 'office'>;
  readonly chance: Chance;
}

/**
 * Gives this copy of the data its own ID in the office, so that two computers never answer for the
 * same claims. Changes nothing outside of an office.
 */
export function becomeAnotherDesk({ stores, chance }: AnotherDeskPorts): void {
  const membership = stores.office.membership();
  if (membership === null) return;
  stores.office.join({ ...membership, desk: chance.uuid() });
  // Items that are missing here were lost with the data that was not restored; they were not
  // removed by a user.
  stores.office.shareAnew();
}
