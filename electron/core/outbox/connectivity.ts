import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { AgreementService } from '../ports.ts';

interface Asking {
  readonly sleeps: number;
  readonly answer: Promise<Failure | null>;
}

/**
 * Which connections were reached since the computer last slept. It may wake in another network, in
 * one with a page of its own in front, or in none: whatever a write met there could leave its outcome
 * unknown. So something that changes nothing is asked of each connection first.
 */
export class ConnectivityCheck {
  readonly #toFailure: ToFailure;
  #sleeps = 0;
  readonly #reachedAfter = new Map<ConnectionId, number>();
  readonly #asking = new Map<ConnectionId, Asking>();

  constructor(toFailure: ToFailure) {
    this.#toFailure = toFailure;
  }

  /** The computer slept, or is about to. */
  doubt(): void {
    this.#sleeps += 1;
  }

  /** Whether it was reached since the computer last slept. */
  isReached(id: ConnectionId): boolean {
    return (this.#reachedAfter.get(id) ?? 0) === this.#sleeps;
  }

  /** Gives why the connection cannot be reached; asks it nothing when it was since. */
  async check(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    while (!this.isReached(id)) {
      const { sleeps, answer } = this.#ask(id, service, signal);
      const failure = await answer;
      // Of whoever answers that this may not be read, it is known that it answers.
      if (failure !== null && failure.code !== 'forbidden') return failure;
      this.#reachedAfter.set(id, sleeps);
    }
    return null;
  }

  /** Asks it in any case; gives why it cannot be reached, or what it answered instead. */
  ask(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    return this.#ask(id, service, signal).answer;
  }

  /** Rows of a connection that go out together ask once. */
  #ask(
    id: ConnectionId,
    service: Pick<AgreementService, 'countOpen'>,
    signal: AbortSignal,
  ): Asking {
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
