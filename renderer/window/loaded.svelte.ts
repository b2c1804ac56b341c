import type { Failure } from '../../shared/errors.ts';
import { CoalescedTask } from '../../shared/coalesced.ts';
import { failureOf } from './desk.ts';

/**
 * Data read from the core, in one of four conditions: never loaded (`value` null), loading, loaded
 * at `loadedAt`, or loaded at `loadedAt` while the last refresh failed. Offline data is in the last
 * condition, and is never an empty value.
 */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  loading = $state(false);
  loadedAt = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);

  readonly #read: () => Promise<T>;
  #newest = 0;
  readonly #renewals = new CoalescedTask(() => this.refresh());

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Reads the data again. Of several concurrent reads, only the one started last is kept. */
  async refresh(): Promise<void> {
    const turn = ++this.#newest;
    this.loading = true;
    try {
      const value = await this.#read();
      if (turn !== this.#newest) return;
      this.value = value;
      this.loadedAt = Date.now();
      this.failure = null;
    } catch (error) {
      if (turn === this.#newest) this.failure = failureOf(error);
    } finally {
      if (turn === this.#newest) this.loading = false;
    }
  }

  /** Forgets the value and the failure; the result of a read in progress is ignored. */
  reset(): void {
    this.#newest += 1;
    this.value = null;
    this.failure = null;
    this.loadedAt = null;
    this.loading = false;
  }

  /** Updates the value if one was read; otherwise reads the data again. */
  change(next: (value: T) => T): void {
    if (this.value === null || this.loading) void this.renew();
    else this.value = next(this.value);
  }

  /**
   * Reads the data again after a change: one read at a time, however many changes arrive during it.
   */
  renew(): Promise<void> {
    return this.#renewals.run();
  }
}
