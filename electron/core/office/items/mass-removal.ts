import { AppError } from '../../../../shared/errors.ts';

/**
 * If at least this many items are missing, and more than remain, the user did not remove them: data
 * was lost.
 */
const MASS_REMOVAL_COUNT = 10;

/**
 * Throws 'conflict' with 'most-missing' if many items are missing. A user removes one item at a
 * time, and each removal is sent within a moment. Many items missing at the same time were lost on
 * this computer, and must not be removed in the office.
 */
export function rejectMassRemoval(removed: number, left: number): void {
  if (removed < MASS_REMOVAL_COUNT || removed <= left) return;
  const message = `${String(removed)} shared items are missing on this computer, so none was removed in the office. Share the items again to get them back`;
  throw new AppError('conflict', message, { reason: 'most-missing' });
}
