import type { Failure } from '../../../shared/errors.ts';

/** After so many in a row, what runs by itself waits until a person switches it on again. */
export const MAX_FAILURES = 3;

export const isPausedAfter = (failures: number | undefined): boolean =>
  (failures ?? 0) >= MAX_FAILURES;

/**
 * How many runs in a row have failed, this one among them. Neither counted nor forgiven is what is no fault
 * of what a person set up: a line that is down, a run that was stopped, and what `isAway` says.
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
