import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Clock } from '../ports.ts';

/** Minimum interval (ms) between events: the window reloads its list on each event. */
const MIN_NEWS_INTERVAL_MS = 400;

/**
 * Emits the changes of one connection's sync at most a few times a second, however fast the pages
 * arrive.
 */
export class SyncNews {
  readonly #connectionId: ConnectionId;
  readonly #emit: Emit;
  readonly #clock: Clock;
  #added = 0;
  #changed = 0;
  #changesEmittedAt = Number.NEGATIVE_INFINITY;
  #progressEmittedAt = Number.NEGATIVE_INFINITY;

  constructor(connectionId: ConnectionId, ports: { readonly emit: Emit; readonly clock: Clock }) {
    this.#connectionId = connectionId;
    this.#emit = ports.emit;
    this.#clock = ports.clock;
  }

  /** Adds to the numbers of new and changed copies; emits them if an event is due. */
  changes(added: number, changed: number): void {
    this.#added += added;
    this.#changed += changed;
    if (this.#isDue(this.#changesEmittedAt)) this.#emitChanges();
  }

  progress(): void {
    if (!this.#isDue(this.#progressEmittedAt)) return;
    this.#progressEmittedAt = this.#clock.now();
    this.#emit('agreements.syncChanged', { connectionId: this.#connectionId });
  }

  end(): void {
    this.#emitChanges();
  }

  #isDue(emittedAt: number): boolean {
    return Math.abs(this.#clock.now() - emittedAt) >= MIN_NEWS_INTERVAL_MS;
  }

  #emitChanges(): void {
    const [added, changed] = [this.#added, this.#changed];
    if (added + changed === 0) return;
    this.#added = 0;
    this.#changed = 0;
    this.#changesEmittedAt = this.#clock.now();
    this.#emit('agreements.changed', { connectionId: this.#connectionId, added, changed });
  }
}
