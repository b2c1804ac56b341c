import { AppError } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';

/** Version of the claim names of sends. If it increases, every computer reports its sends again. */
export const CLAIM_NAMES_VERSION = 1;

type OfficeStores = Pick<Stores, 'office'>;

/**
 * Whether this computer has reported its earlier sends under all names. True outside of an office.
 */
export function hasReportedToOffice({ office }: OfficeStores): boolean {
  return office.membership() === null || office.told() >= CLAIM_NAMES_VERSION;
}

/**
 * Throws 'offline' until this computer has reported its earlier sends: otherwise, another computer
 * could send the same again.
 */
export function requireReportedToOffice(stores: OfficeStores): void {
  if (hasReportedToOffice(stores)) return;
  const message =
    'This computer has not yet reported to the office what it sent before it joined. Nothing is sent until then';
  throw new AppError('offline', message, { reason: 'office-away' });
}
