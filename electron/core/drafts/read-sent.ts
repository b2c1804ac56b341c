import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';
import type { Sync } from '../sync/handlers.ts';

/**
 * Maximum time (ms) that a command waits until sent agreements are read; the service already has
 * them.
 */
const MAX_READ_WAIT_MS = 10_000;

interface SentPorts {
  readonly stores: Pick<Stores, 'connections' | 'agreements'>;
  readonly services: Pick<Services, 'use'>;
  readonly sync: Pick<Sync, 'runAnew'>;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Reads agreements sent from here, so that lists show them before the next sync. */
export class SentReadings {
  readonly #ports: SentPorts;
  readonly #sent = new Map<ConnectionId, readonly (AgreementId | null)[]>();

  readonly #unread = new Set<ConnectionId>();
  readonly #refreshing = new Map<ConnectionId, Promise<unknown>>();
  readonly #stopping: AbortSignal;

  constructor(ports: SentPorts, stopping: AbortSignal) {
    this.#ports = ports;
    this.#stopping = stopping;
  }

  /** Reads recent changes immediately, in parallel with sends in progress. */
  refresh(id: ConnectionId): void {
    this.#unread.add(id);
    if (this.#refreshing.has(id)) return;
    const reading = this.#refresh(id);
    this.#refreshing.set(id, reading);
    void reading.finally(() => this.#refreshing.delete(id));
  }

  /** Resolves once no read is in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.#refreshing.values());
  }

  async #refresh(id: ConnectionId): Promise<void> {
    // A send during the read may be missing from the result of that read, so read again.
    while (this.#unread.delete(id) && !this.#stopping.aborted) {
      await this.#ports.sync.runAnew(id, this.#stopping);
    }
  }

  /**
   * Notes a send, whose agreement `read` will read. `remoteId` is null if the service did not
   * report the id.
   */
  note(connectionId: ConnectionId, remoteId: AgreementId | null): void {
    this.#sent.set(connectionId, [...(this.#sent.get(connectionId) ?? []), remoteId]);
  }

  /**
   * Reads each connection at most once after a run, so that reading delays no send. Never rejects:
   * the next sync covers a failed read.
   */
  async read(): Promise<void> {
    const sent = [...this.#sent];
    this.#sent.clear();
    if (sent.length === 0) return;
    const ending = new AbortController();
    const end = () => ending.abort();
    const calm = this.#ports.clock.after(MAX_READ_WAIT_MS, end);
    this.#stopping.addEventListener('abort', end);
    const { signal } = ending;
    try {
      await Promise.all(sent.map(([id, remoteIds]) => this.#readOne(id, remoteIds, signal)));
    } finally {
      calm();
      this.#stopping.removeEventListener('abort', end);
    }
  }

  async #readOne(
    id: ConnectionId,
    [first = null, ...more]: readonly (AgreementId | null)[],
    signal: AbortSignal,
  ): Promise<void> {
    const { stores, services, sync, emit, toFailure } = this.#ports;
    try {
      if (first !== null && more.length === 0) {
        const remote = await services.use(id, (service) => service.read(first, signal));
        keepCopy(this.#ports, id, remote);
        emit('agreements.changed', { connectionId: id, added: 1, changed: 0 });
        return;
      }
      // The first read of a connection reads everything, which may take minutes.
      if (stores.connections.checkedUntil(id) !== null) await sync.runAnew(id, signal);
    } catch (error) {
      toFailure(error, 'outbox.run');
    }
  }
}
