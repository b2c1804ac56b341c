import { AgreementId, type ConnectionId, type OutboxRef } from '../../shared/contract/ids.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { OutboxItem, OutboxState } from '../../shared/contract/outbox.ts';
import type { Failure } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { OutboxBook } from './outbox-book.ts';
import { type NotUploaded, sendUpFiles } from './outbox-uploads.ts';
import type { AgreementService, Clock, Log, Stores, WriteResult } from './ports.ts';
import type { Services } from './services.ts';

/** Waits after a request that never left: a cable back in its socket, a network back, a proxy mended. */
const BACK_OFF = [5_000, 30_000, 120_000, 600_000] as const;
/** A service that says "too many" without saying until when. */
const LIMITED_PAUSE = 30_000;

export interface AttemptPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly book: OutboxBook;
  readonly services: Services;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly log: Pick<Log, 'error'>;
  /** Told after the service changed something, so that the copy here can be read again. */
  readonly onSent: (connectionId: ConnectionId) => void;
}

/**
 * One attempt for one row: files that go up first, then the commit, then exactly one request, then
 * what is known.
 */
export class OutboxAttempts {
  readonly #ports: AttemptPorts;
  readonly #signal: AbortSignal;
  #isClosed = false;
  readonly #unsent = new Map<OutboxRef, number>();
  readonly #pauses = new Map<ConnectionId, number>();

  constructor(ports: AttemptPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Epoch milliseconds before which the connection is left alone; 0 for never. */
  pausedUntil(id: ConnectionId): number {
    return this.#pauses.get(id) ?? 0;
  }

  endPause(id: ConnectionId): void {
    this.#pauses.delete(id);
  }

  /** Begins nothing new; what is on the wire goes on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Gives the row as it is afterwards. A row that is not due is left as it is. */
  async run(ref: OutboxRef): Promise<OutboxItem> {
    const { stores, clock, emit } = this.#ports;
    const { connectionId } = stores.outbox.get(ref);
    if (this.#isDue(stores.outbox.get(ref))) {
      const service = await this.#open(connectionId);
      if ('code' in service) this.#waitForPerson(ref, 'queued', service);
      else if ((await this.#isWhole(service, ref)) && stores.outbox.claim(ref, clock.now())) {
        emit('outbox.changed', { ref });
        this.#record(stores.outbox.get(ref), await this.#request(service, ref));
      }
    }
    return stores.outbox.get(ref);
  }

  #isDue({ state, nextAt, connectionId }: OutboxItem): boolean {
    if (this.#isClosed || state !== 'queued' || nextAt === null) return false;
    return Math.max(nextAt, this.pausedUntil(connectionId)) <= this.#ports.clock.now();
  }

  /** The service, or why nothing can go out through this connection before a person acts. */
  async #open(id: ConnectionId): Promise<AgreementService | Failure> {
    const { services, toFailure } = this.#ports;
    const refusal = services.refusal(id);
    if (refusal !== null) return refusal;
    try {
      return await services.open(id);
    } catch (error) {
      return toFailure(error, 'outbox.run');
    }
  }

  /** False while files that go up before the request have not; the row says why then. */
  async #isWhole({ uploadFirst }: AgreementService, ref: OutboxRef): Promise<boolean> {
    const item = this.#ports.stores.outbox.get(ref);
    if (item.progress === undefined || uploadFirst === null) return true;
    const isClosed = () => this.#isClosed;
    const lacking = await sendUpFiles(this.#ports, uploadFirst, item, this.#signal, isClosed);
    if (lacking !== null) this.#recordLacking(item, lacking);
    return lacking === null;
  }

  #recordLacking(item: OutboxItem, lacking: NotUploaded): void {
    switch (lacking.kind) {
      case 'stopped':
        return;
      case 'refused':
        this.#reject(item, lacking.failure);
        return;
      case 'turned-away':
        this.#turnAway(item, lacking.failure);
        return;
      case 'not-sent':
        this.#backOff(item, lacking.failure);
        return;
      case 'unknown':
        this.#uploadAgain(item, lacking.failure);
    }
  }

  /** Nothing is lost with an answer to an upload, but a service that never answers is not fed. */
  #uploadAgain(item: OutboxItem, reason: Failure): void {
    const isHopeless = (this.#unsent.get(item.ref) ?? 0) >= BACK_OFF.length;
    if (isHopeless) this.#waitForPerson(item.ref, 'queued', reason);
    else this.#backOff(item, reason);
  }

  async #request(service: AgreementService, ref: OutboxRef): Promise<WriteResult> {
    const { body, target } = this.#ports.stores.outbox.request(ref);
    try {
      if (target === null) return await service.create(body, this.#signal);
      return await service.sign({ ...target, body }, this.#signal);
    } catch (error) {
      // A write that throws has not said what became of it.
      return { kind: 'unknown', failure: this.#ports.toFailure(error, 'outbox.run') };
    }
  }

  #record(item: OutboxItem, result: WriteResult): void {
    const { book, onSent } = this.#ports;
    switch (result.kind) {
      case 'done': {
        const { remoteId } = result;
        book.settleSent(item, remoteId === null ? null : AgreementId.parse(remoteId), 'answer');
        onSent(item.connectionId);
        return;
      }
      case 'refused':
        this.#reject(item, result.failure);
        return;
      case 'not-sent':
        this.#backOff(item, result.failure);
        return;
      case 'turned-away':
        this.#turnAway(item, result.failure);
        return;
      case 'unknown': {
        const reason = { ...result.failure, reason: 'outcome-unknown' } as const;
        const unknown = { to: 'unknown', cause: 'answer', reason, nextAt: null } as const;
        book.move(item.ref, ['sending'], unknown);
      }
    }
  }

  #reject({ ref, state }: OutboxItem, reason: Failure): void {
    const rejected = { to: 'rejected', cause: 'answer', reason, nextAt: null } as const;
    this.#ports.book.move(ref, [state], rejected);
  }

  #backOff({ ref, state, connectionId }: OutboxItem, reason: Failure): void {
    const { book, clock, stores, emit } = this.#ports;
    const count = this.#unsent.get(ref) ?? 0;
    this.#unsent.set(ref, count + 1);
    const nextAt = clock.now() + (BACK_OFF[Math.min(count, BACK_OFF.length - 1)] ?? 0);
    this.#pauses.set(connectionId, nextAt);
    const move = { to: 'queued', cause: 'not-sent', reason, nextAt } as const;
    if (state !== 'sending') {
      book.move(ref, [state], move);
      return;
    }
    stores.outbox.unclaim(ref, clock.now(), move);
    emit('outbox.changed', { ref });
  }

  #turnAway({ ref, state, connectionId }: OutboxItem, reason: Failure): void {
    const { book, clock, services } = this.#ports;
    services.note(connectionId, reason);
    if (reason.code !== 'limited') {
      this.#waitForPerson(ref, state, reason);
      return;
    }
    const nextAt = reason.retryAt ?? clock.now() + LIMITED_PAUSE;
    this.#pauses.set(connectionId, nextAt);
    book.move(ref, [state], { to: 'queued', cause: 'answer', reason, nextAt });
  }

  #waitForPerson(ref: OutboxRef, from: OutboxState, reason: Failure): void {
    const move = { to: 'queued', cause: 'answer', reason, nextAt: null } as const;
    this.#ports.book.move(ref, [from], move);
  }
}
