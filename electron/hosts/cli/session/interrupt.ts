import { AppError } from '../../../../shared/errors.ts';
import type { Io } from '../output/io.ts';

interface Interrupt {
  /**
   * Runs `stop` at the first Ctrl+C instead of ending the command; null removes an earlier `stop`.
   */
  onStop(stop: (() => void) | null): void;
  /**
   * Returns the result of `work`, unless the user interrupts it first.
   * @throws AppError 'cancelled'.
   */
  race<T>(work: Promise<T>): Promise<T>;
  release(): void;
}

/**
 * Listens for Ctrl+C from now on; a second Ctrl+C ends the command even if the first one ran
 * `stop`.
 */
export function createInterrupt(io: Io): Interrupt {
  const { promise, reject } = Promise.withResolvers<never>();
  // Avoids an unhandled rejection if nothing awaits the promise yet.
  promise.catch(() => undefined);
  let stop: (() => void) | null = null;
  const release = io.onInterrupt(() => {
    if (stop === null) return reject(new AppError('cancelled', 'Stopped by you'));
    const once = stop;
    stop = null;
    once();
  });
  return {
    onStop(next) {
      stop = next;
    },
    race: (work) => Promise.race([work, promise]),
    release,
  };
}
