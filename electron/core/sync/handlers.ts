import type { SyncResult, SyncStatus } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, CopyWriter, Stores } from '../ports.ts';
import type { OutboxGates } from '../outbox/gates.ts';
import type { Services } from '../services/services.ts';
import { SyncNews } from './news.ts';
import { readChanges, readEverything, type SyncReading, type SyncTally } from './reading.ts';
import { readUnlisted } from './unlisted.ts';

export type SyncOutcome = SyncResult['connections'][number];
export type SyncProgress = Pick<SyncStatus, 'done' | 'total'>;

interface RunningSync {
  readonly isFull: boolean;
  readonly outcome: Promise<SyncOutcome>;
}

export interface SyncPorts {
  readonly stores: Pick<Stores, 'connections' | 'agreements' | 'sync' | 'quickTransaction'>;
  readonly services: Pick<Services, 'use'>;
  readonly clock: Clock;
  readonly gates: Pick<OutboxGates, 'credible'>;
  readonly copies: CopyWriter;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly freeDisk?: () => number | null;
  /**
   * Settles outbox rows whose reference is found in an agreement of the connection; finds
   * duplicates.
   */
  readonly linkToAgreements: (connectionId: ConnectionId, signal: AbortSignal) => Promise<void>;
}

/**
 * Updates the local copies, one read per connection at a time. The time up to which all changes are
 * known is by the clock of the service, and advances only after the last page of a read.
 */
export class Sync {
  readonly #ports: SyncPorts;
  readonly #running = new Map<ConnectionId, RunningSync>();
  readonly #progress = new Map<ConnectionId, SyncProgress>();
  readonly #failures = new Map<ConnectionId, Failure>();

  constructor(ports: SyncPorts) {
    this.#ports = ports;
  }

  /**
   * Reads changes, or everything if `isFull`. Never rejects: the outcome contains the failure. If
   * the connection is already being read, waits for that read; reads again only if `isFull` and
   * that read was of changes only.
   */
  async run(
    id: ConnectionId,
    isFull: boolean,
    signal: AbortSignal,
    onProgress: (progress: SyncProgress) => void = () => {},
  ): Promise<SyncOutcome> {
    const known = this.#running.get(id);
    if (known !== undefined) {
      const outcome = await known.outcome;
      if (known.isFull || !isFull || signal.aborted) return outcome;
      return this.run(id, isFull, signal, onProgress);
    }
    const outcome = this.#read(id, isFull, signal, onProgress);
    this.#running.set(id, { isFull, outcome });
    this.#emitChanged(id);
    try {
      return await outcome;
    } finally {
      this.#running.delete(id);
      this.#progress.delete(id);
      this.#emitChanged(id);
    }
  }

  /**
   * Waits for a read in progress, which may have missed the latest changes, then reads the changes.
   */
  async runAnew(id: ConnectionId, signal: AbortSignal): Promise<SyncOutcome> {
    await this.#running.get(id)?.outcome;
    return this.run(id, false, signal);
  }

  status(): SyncStatus[] {
    const { connections } = this.#ports.stores;
    return connections.list().map(({ id }) => ({
      connectionId: id,
      running: this.#running.has(id),
      done: this.#progress.get(id)?.done ?? 0,
      total: this.#progress.get(id)?.total ?? null,
      checkedAt: connections.checkedAt(id),
      failure: this.#failures.get(id) ?? null,
    }));
  }

  async #read(
    id: ConnectionId,
    isFull: boolean,
    signal: AbortSignal,
    onProgress: (progress: SyncProgress) => void,
  ): Promise<SyncOutcome> {
    const { stores, services, toFailure } = this.#ports;
    const name = stores.connections.list().find((one) => one.id === id)?.name ?? id;
    const tally: SyncTally = { received: 0, changed: 0, gone: 0 };
    const news = new SyncNews(id, this.#ports);
    let requests = 0;
    let failure: Failure | null = null;
    try {
      await services.use(id, async (service) => {
        const before = service.requestCount();
        try {
          const connection = stores.connections.get(id);
          const progress = (done: number, total: number | null) => {
            this.#progress.set(id, { done, total });
            news.progress();
            onProgress({ done, total });
          };
          const reading = { ...this.#ports, connection, service, news, tally, progress, signal };
          await this.#readAll(reading, isFull);
        } finally {
          requests = service.requestCount() - before;
        }
      });
      this.#failures.delete(id);
    } catch (error) {
      failure = toFailure(error, 'agreements.sync');
      if (failure.code !== 'cancelled') this.#failures.set(id, failure);
    }
    news.end();
    const checkedUntil = stores.connections.checkedUntil(id);
    return { name, requests, ...tally, checkedUntil, failure };
  }

  async #readAll(reading: SyncReading, isFull: boolean): Promise<void> {
    const { stores, connection } = reading;
    const { id } = connection;
    const since = () => stores.connections.checkedUntil(id);
    const isUnderWay = stores.sync.full(id) !== null;
    const full = isFull || isUnderWay || since() === null ? await readEverything(reading) : null;
    if (full === null || full.tookTime) await readChanges(reading, since() ?? 0);
    await this.#ports.linkToAgreements(id, reading.signal);
    await readUnlisted(reading);
  }

  #emitChanged(connectionId: ConnectionId): void {
    this.#ports.emit('agreements.syncChanged', { connectionId });
  }
}
