import type { Failure } from '../../../../shared/errors.ts';
import type { Chance, Clock } from '../../../core/ports.ts';
import { isPassing } from './failures.ts';

const MAX_TRIES = 3;
const FIRST_STEP = 500;
/** Beyond this the outbox or a person is asked for patience, not a waiting call. */
const MAX_WAIT = 10_000;

/** Milliseconds to wait before a read is tried again; null when it is not. */
export function waitBefore(
  failure: Failure,
  tries: number,
  { clock, chance }: { clock: Clock; chance: Chance },
): number | null {
  if (tries >= MAX_TRIES || !isPassing(failure)) return null;
  if (failure.retryAt !== undefined) {
    const wait = Math.max(0, failure.retryAt - clock.now());
    return wait <= MAX_WAIT ? wait : null;
  }
  const step = FIRST_STEP * 2 ** (tries - 1);
  // Jitter may come near zero, but not where the service asked to be spared.
  const least = failure.code === 'limited' ? step / 2 : 0;
  return least + chance.fraction() * (step - least);
}
