import { AppError } from '../../../../shared/errors.ts';

/** So many that are missing at once, and more than are left, were removed by nobody. */
const MASS = 10;

/**
 * Whoever removes an entry removes one, and it goes out within a moment. What is missing by the dozen was
 * lost here, and nobody decided that it goes everywhere.
 */
export function rejectMassRemoval(removed: number, left: number): void {
  if (removed < MASS || removed <= left) return;
  const message = `${String(removed)} shared items are missing on this computer, so none was removed in the office. Share them again to get them back`;
  throw new AppError('conflict', message, { reason: 'most-missing' });
}
