import { AppError } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';

/** Raised whenever what was sent gets a name in the office that it had not: every desk tells those then. */
export const NAMES = 1;

type Known = Pick<Stores, 'office'>;

/** Whether the office knows what this desk did before it came, by all names; a desk in none has nothing to tell. */
export function hasTold({ office }: Known): boolean {
  return office.membership() === null || office.told() >= NAMES;
}

/** Nothing is claimed before that: another desk would do once more what this one did. Throws 'offline'. */
export function requireTold(stores: Known): void {
  if (hasTold(stores)) return;
  const message = 'The office has yet to hear what this desk sent before it joined';
  throw new AppError('offline', message, { reason: 'office-away' });
}
