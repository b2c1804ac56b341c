import { AppError } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';

/** Version of the names under which sends are claimed. When it rises, every desk reports its sends again. */
export const NAMES = 1;

type Known = Pick<Stores, 'office'>;

/** Whether this desk has reported its earlier sends to its office under all names; true without an office. */
export function hasTold({ office }: Known): boolean {
  return office.membership() === null || office.told() >= NAMES;
}

/** Throws 'offline' before that report: another desk could otherwise send the same again. */
export function requireTold(stores: Known): void {
  if (hasTold(stores)) return;
  const message =
    'This computer has not yet reported to the office what it sent before it joined. Nothing is sent until then';
  throw new AppError('offline', message, { reason: 'office-away' });
}
