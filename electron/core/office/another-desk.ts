import type { Chance, Stores } from '../ports.ts';

interface AnotherDeskPorts {
  readonly stores: Pick<Stores, 'office'>;
  readonly chance: Chance;
}

/**
 * Gives this copy of the data an id of its own in its office: two desks never answer for the same claims.
 * A desk in no office stays as it is.
 */
export function becomeAnotherDesk({ stores, chance }: AnotherDeskPorts): void {
  const membership = stores.office.membership();
  if (membership === null) return;
  stores.office.join({ ...membership, desk: chance.uuid() });
  // What is missing here was lost with what was not restored: nobody removed it.
  stores.office.shareAnew();
}
