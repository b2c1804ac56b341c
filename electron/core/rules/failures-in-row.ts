import type { Failure } from '../../../shared/errors.ts';

/**
 * Number of consecutive failures after which automatic work waits until the user turns it on again.
 */
export const MAX_FAILURES = 3;

export const isPausedAfter = (failures: number | undefined): boolean =>
  (failures ?? 0) >= MAX_FAILURES;

/**
 * Returns the number of consecutive failures including this run. Failures that are not caused by
 * the user's settings (offline, cancelled, `isAway`) leave the number unchanged.
 */
export function failuresAfter(
  before: number | undefined,
  failure: Failure | null,
  isAway: (failure: Failure) => boolean = () => false,
): number {
  if (failure === null) return 0;
  const isNoFault = ['offline', 'cancelled'].includes(failure.code) || isAway(failure);
  return (before ?? 0) + (isNoFault ? 0 : 1);
}
