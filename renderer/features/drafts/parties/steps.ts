/** A party in the signing order; `index` is its position in its list of the body. */
export interface Placed<Party> {
  readonly party: Party;
  readonly index: number;
}

interface PartyWithOrder {
  signingOrder?: number | undefined;
}

/** A step: parties that sign at the same time. */
export interface Step<Party> {
  readonly order: number;
  readonly parties: readonly Placed<Party>[];
}

const signingOrderOf = ({ signingOrder = 1 }: PartyWithOrder): number => signingOrder;

/** Parties by the step in which they sign; a gap between two numbers is not a step. */
export function stepsOf<Party extends PartyWithOrder>(
  parties: readonly Party[],
): readonly Step<Party>[] {
  const placed = parties.map((party, index) => ({ party, index }));
  const orders = [...new Set(parties.map(signingOrderOf))].toSorted((one, other) => one - other);
  return orders.map((order) => ({
    order,
    parties: placed.filter(({ party }) => signingOrderOf(party) === order),
  }));
}

/** Effect of moving a party up or down: another position in its step, or another step. */
export type Move =
  | { readonly kind: 'place'; readonly to: number }
  | { readonly kind: 'order'; readonly order: number };

/**
 * Returns the move; null at the ends of the list. A party that shares its step first gets a step of
 * its own.
 */
export function moveOf<Party extends PartyWithOrder>(
  parties: readonly Party[],
  index: number,
  by: 1 | -1,
): Move | null {
  const steps = stepsOf(parties);
  const at = steps.findIndex((step) => step.parties.some((one) => one.index === index));
  const step = steps[at];
  if (step === undefined) return null;
  const place = step.parties.findIndex((one) => one.index === index);
  const neighbour = step.parties[place + by];
  if (neighbour !== undefined) return { kind: 'place', to: neighbour.index };
  const next = steps[at + by];
  if (next !== undefined) return { kind: 'order', order: next.order };
  if (step.parties.length === 1) return null;
  if (by === 1) return { kind: 'order', order: step.order + 1 };
  return step.order > 1 ? { kind: 'order', order: step.order - 1 } : null;
}
