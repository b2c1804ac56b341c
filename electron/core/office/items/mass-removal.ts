import { AppError } from '../../../../shared/errors.ts';

/**
 * If at least this many items are missing, and no fewer than remain, it is data loss, not deletion.
 */
const MASS_REMOVAL_COUNT = 10;

/**
 * Throws if many items are missing. A user removes one at a time, and that is sent within a moment;
 * many at a time were lost here and must not be removed in the office.
 */
export function rejectMassRemoval(removed: number, left: number): void {
  if (removed < MASS_REMOVAL_COUNT || removed <= left) return;
  const message = `${String(removed)} shared items are missing on this computer, so none was removed in the office. Share the items again to get them back`;
  throw new AppError('conflict', message, { reason: 'most-missing' });
}
