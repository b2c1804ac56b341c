import type { SyncResult, SyncStatus } from '../../shared/contract/agreements.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { ConnectionId } from '../../shared/contract/ids.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { Failure } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { AgreementService, Clock, Stores } from './ports.ts';
import type { Services } from './services.ts';
import { readUnlisted } from './sync-unlisted.ts';

export type SyncOutcome = SyncResult['connections'][number];

interface Running {
  readonly isFull: boolean;
  readonly outcome: Promise<SyncOutcome>;
}

export interface SyncPorts {
  readonly stores: Pick<Stores, 'connections' | 'agreements'>;
  readonly services: Services;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  /** Settles outbox rows whose reference an agreement of the connection carries. */
  readonly adopt: (connectionId: ConnectionId) => void;
}

type Tally = Pick<SyncOutcome, 'received' | 'changed' | 'gone'>;

/**
 * Brings the copies of agreements up to date, one connection at a time each. The time up to which
 * everything was read is the service's own, and moves only after the last page.
 */
export class Sync {
  readonly #ports: SyncPorts;
  readonly #running = new Map<ConnectionId, Running>();
  readonly #progress = new Map<ConnectionId, Pick<SyncStatus, 'done' | 'total'>>();
  readonly #failures = new Map<ConnectionId, Failure>();

  constructor(ports: SyncPorts) {
    this.#ports = ports;
  }

  /**
   * Reads what changed, or everything when `isFull`. Never rejects: a failure stands in the
   * outcome. While the connection is being read already, that reading is waited for instead.
   */
  async run(id: ConnectionId, isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    const known = this.#running.get(id);
    if (known !== undefined) {
      const outcome = await known.outcome;
      if (known.isFull || !isFull || signal.aborted) return outcome;
      return this.run(id, isFull, signal);
    }
    const outcome = this.#read(id, isFull, signal);
    this.#running.set(id, { isFull, outcome });
    this.#tell(id);
    try {
      return await outcome;
    } finally {
      this.#running.delete(id);
      this.#progress.delete(id);
      this.#tell(id);
    }
  }

  /** Reads what changed, beginning after now: a reading under way may have missed it. */
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

  async #read(id: ConnectionId, isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    const { stores, services, toFailure } = this.#ports;
    const name = stores.connections.list().find((one) => one.id === id)?.name ?? id;
    const tally: Tally = { received: 0, changed: 0, gone: 0 };
    let requests = 0;
    let failure: Failure | null = null;
    try {
      await services.use(id, async (service) => {
        const connection = stores.connections.get(id);
        const before = service.requestCount();
        try {
          await this.#readAll(connection, service, isFull, tally, signal);
        } finally {
          requests = service.requestCount() - before;
        }
      });
      this.#failures.delete(id);
    } catch (error) {
      failure = toFailure(error, 'agreements.sync');
      if (failure.code !== 'cancelled') this.#failures.set(id, failure);
    }
    const checkedUntil = stores.connections.checkedUntil(id);
    return { name, requests, ...tally, checkedUntil, failure };
  }

  async #readAll(
    connection: Connection,
    service: AgreementService,
    isFull: boolean,
    tally: Tally,
    signal: AbortSignal,
  ): Promise<void> {
    const { stores, clock, adopt } = this.#ports;
    const since = isFull ? null : stores.connections.checkedUntil(connection.id);
    const startedAt = clock.now();
    const told = await this.#readPages(connection, service, since, tally, signal);
    // Without a server's clock the mark stays: reading too much again loses nothing.
    const mark = told ?? since ?? 0;
    stores.connections.setCheckedUntil(connection.id, mark, clock.now());
    adopt(connection.id);
    const wasAll = since === null;
    const found = await readUnlisted(this.#ports, connection, service, {
      startedAt,
      wasAll,
      signal,
    });
    tally.changed += found.changed;
    tally.gone += found.gone;
    if (found.changed + found.gone > 0) this.#changed(connection.id);
  }

  /** Gives the server's time of the first page. */
  async #readPages(
    connection: Connection,
    service: AgreementService,
    since: number | null,
    tally: Tally,
    signal: AbortSignal,
  ): Promise<number | null> {
    const { stores, clock } = this.#ports;
    const { id, api } = connection;
    const seen = new Set<string>();
    let serverTime: number | null | undefined;
    for await (const page of service.changes(since, signal)) {
      serverTime = serverTime === undefined ? page.serverTime : serverTime;
      const changed = stores.agreements.put(id, api, page.items, clock.now());
      for (const one of page.items) seen.add(one.id);
      tally.received = seen.size;
      tally.changed += changed;
      this.#progress.set(id, { done: seen.size, total: page.total });
      this.#tell(id);
      if (changed > 0) this.#changed(id);
      signal.throwIfAborted();
    }
    return serverTime ?? null;
  }

  #tell(connectionId: ConnectionId): void {
    this.#ports.emit('agreements.syncChanged', { connectionId });
  }

  #changed(connectionId: ConnectionId): void {
    this.#ports.emit('agreements.changed', { connectionId });
  }
}
