import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { AgreementService } from '../ports.ts';

interface ConnectivityRequest {
  readonly sleeps: number;
  readonly answer: Promise<Failure | null>;
}

/**
 * Tracks which connections were reached since the computer last slept. The computer may wake up in
 * another network, behind a captive portal, or offline, where the outcome of a write could remain
 * unknown. So a request that changes nothing is first sent through each connection.
 */
export class ConnectivityCheck {
  readonly #toFailure: ToFailure;
  #sleeps = 0;
  readonly #reachedAfter = new Map<ConnectionId, number>();
  readonly #asking = new Map<ConnectionId, ConnectivityRequest>();

  constructor(toFailure: ToFailure) {
    this.#toFailure = toFailure;
  }

  /** Marks all connections as not reached, because the computer slept or is about to sleep. */
  doubt(): void {
    this.#sleeps += 1;
  }

  isReached(id: ConnectionId): boolean {
    return (this.#reachedAfter.get(id) ?? 0) === this.#sleeps;
  }

  /**
   * Returns why the connection is unreachable, or null. Sends no request if the connection was
   * already reached since the last sleep.
   */
  async check(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    while (!this.isReached(id)) {
      const { sleeps, answer } = this.#ask(id, service, signal);
      const failure = await answer;
      // 'forbidden' is an answer too, so the service is reachable.
      if (failure !== null && failure.code !== 'forbidden') return failure;
      this.#reachedAfter.set(id, sleeps);
    }
    return null;
  }

  /**
   * Sends the request even if the connection was reached. Returns why the service is unreachable or
   * rejected the request; null on success.
   */
  ask(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    return this.#ask(id, service, signal).answer;
  }

  /** Sends the request. Rows of a connection that are sent together share one request. */
  #ask(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): ConnectivityRequest {
    const before = this.#asking.get(id);
    if (before !== undefined) return before;
    const answer = service.countOpen(signal).then(
      () => null,
      (error: unknown) => this.#toFailure(error, 'outbox.run'),
    );
    const asking = { sleeps: this.#sleeps, answer };
    this.#asking.set(id, asking);
    void answer.finally(() => this.#asking.delete(id));
    return asking;
  }
}
