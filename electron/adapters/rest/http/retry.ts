import type { Failure } from '../../../../shared/errors.ts';
import type { Chance, Clock } from '../../../core/ports.ts';
import { isTransientFailure } from './failures.ts';

const MAX_TRIES = 3;
const FIRST_RETRY_MS = 500;
/**
 * Maximum delay before a retry (ms). A call does not wait longer; the outbox or the user repeats
 * it.
 */
const MAX_RETRY_WAIT_MS = 10_000;

/** Returns the delay before a read is retried (ms); null if it is not retried. */
export function retryDelayBefore(
  failure: Failure,
  tries: number,
  { clock, chance }: { clock: Clock; chance: Chance },
): number | null {
  if (tries >= MAX_TRIES || !isTransientFailure(failure)) return null;
  if (failure.retryAt !== undefined) {
    const wait = Math.max(0, failure.retryAt - clock.now());
    return wait <= MAX_RETRY_WAIT_MS ? wait : null;
  }
  const step = FIRST_RETRY_MS * 2 ** (tries - 1);
  // The random delay may be near zero, except when the service limits requests.
  const least = failure.code === 'limited' ? step / 2 : 0;
  return least + chance.fraction() * (step - least);
}
