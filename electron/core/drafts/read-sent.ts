import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';
import type { Sync } from '../sync/handlers.ts';

/** Milliseconds that a command waits, at most, for a service that has its sends already. */
const MAX_WAIT = 10_000;

interface SentPorts {
  readonly stores: Pick<Stores, 'connections' | 'agreements'>;
  readonly services: Pick<Services, 'use'>;
  readonly sync: Pick<Sync, 'runAnew'>;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Reads what was sent from here, so that lists of agreements know it before the next sync. */
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

  /** Reads what changed at once, beside what is still being sent. */
  refresh(id: ConnectionId): void {
    this.#unread.add(id);
    if (this.#refreshing.has(id)) return;
    const reading = this.#refresh(id);
    this.#refreshing.set(id, reading);
    void reading.finally(() => this.#refreshing.delete(id));
  }

  /** Resolves once nothing is being read any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#refreshing.values());
  }

  async #refresh(id: ConnectionId): Promise<void> {
    // What is sent while it reads may be missing from what it reads.
    while (this.#unread.delete(id) && !this.#stopping.aborted) {
      await this.#ports.sync.runAnew(id, this.#stopping);
    }
  }

  /** Leaves it to `read`. `remoteId` null: the service did not say under which id. */
  note(connectionId: ConnectionId, remoteId: AgreementId | null): void {
    this.#sent.set(connectionId, [...(this.#sent.get(connectionId) ?? []), remoteId]);
  }

  /**
   * At most one reading for each connection, once a run has ended: it delays no send. Never rejects:
   * what cannot be read now is read by the next sync.
   */
  async read(): Promise<void> {
    const sent = [...this.#sent];
    this.#sent.clear();
    if (sent.length === 0) return;
    const ending = new AbortController();
    const end = () => ending.abort();
    const calm = this.#ports.clock.after(MAX_WAIT, end);
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
      // A connection that was never read would be read whole, which may take minutes.
      if (stores.connections.checkedUntil(id) !== null) await sync.runAnew(id, signal);
    } catch (error) {
      toFailure(error, 'outbox.run');
    }
  }
}
