import type { Failure } from '../../shared/errors.ts';
import { Coalesced } from '../../shared/coalesced.ts';
import { failureOf } from './desk.ts';

/**
 * Something read from the core, in one of four conditions: never loaded (`value` null), loading,
 * loaded at `loadedAt`, or loaded at `loadedAt` while the last refresh failed. Being offline is
 * the last one, never an empty value.
 */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  loading = $state(false);
  loadedAt = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);

  readonly #read: () => Promise<T>;
  #newest = 0;
  readonly #renewals = new Coalesced(() => this.refresh());

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Reads again. Of several at once only the one started last is kept. */
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

  /** Changes what was read, where it is known what became of it; else reads it again. */
  change(next: (value: T) => T): void {
    if (this.value === null || this.loading) void this.renew();
    else this.value = next(this.value);
  }

  /** Reads again after a change: one reading at a time, however many changes come meanwhile. */
  renew(): Promise<void> {
    return this.#renewals.run();
  }
}
