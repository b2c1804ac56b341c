import { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';

/** Pause (ms) after the service reports too many requests without a retry time. */
const RATE_LIMIT_PAUSE_MS = 5_000;

/**
 * Limits the number of parallel downloads: halves the limit when the service reports too many
 * requests, and raises it by one after as many successful downloads as the limit.
 */
export class ArchivePace {
  readonly #clock: Clock;
  readonly #most: number;
  #allowed: number;
  #running = 0;
  #good = 0;
  #restUntil = 0;
  /** Whole length of the current pause (ms). */
  #restFor = 0;
  /** Promise that is resolved when the next download ends: another may start then. */
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
    this.#allowed = most;
  }

  get allowed(): number {
    return this.#allowed;
  }

  /**
   * Runs the task once fewer downloads than the limit are running and no pause is left. Throws
   * 'cancelled' if `signal` aborts before that.
   */
  async inTurn<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
    while (!signal.aborted && (this.#running >= this.#allowed || this.#rest() > 0)) {
      await this.#change(signal);
    }
    if (signal.aborted) throw new AppError('cancelled', 'Archiving was stopped');
    this.#running += 1;
    try {
      const result = await run();
      this.#faster();
      return result;
    } finally {
      this.#running -= 1;
      this.#wake();
    }
  }

  /**
   * Halves the limit and pauses new downloads after the service reported too many requests.
   * `retryAt`: retry time given by the service (epoch ms), if any.
   */
  slow(retryAt: number | undefined): void {
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    this.#good = 0;
    const now = this.#clock.now();
    this.#restUntil = Math.max(now + this.#rest(), retryAt ?? now + RATE_LIMIT_PAUSE_MS);
    this.#restFor = this.#restUntil - now;
  }

  #faster(): void {
    this.#good += 1;
    if (this.#good < this.#allowed || this.#allowed >= this.#most) return;
    this.#allowed += 1;
    this.#good = 0;
  }

  #rest(): number {
    const rest = this.#restUntil - this.#clock.now();
    // More than the whole pause is left only if the clock was set back: the pause ends now.
    return rest > this.#restFor ? 0 : rest;
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const rest = this.#rest();
      const callOff = rest > 0 ? this.#clock.after(rest, () => end()) : () => {};
      const end = (): void => {
        callOff();
        signal.removeEventListener('abort', end);
        resolve();
      };
      void this.#changed.promise.then(end);
      signal.addEventListener('abort', end);
    });
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
