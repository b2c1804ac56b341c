/** Work that goes on beside what is done next, in order; never more than so much of it at once. */
export class InFlight {
  readonly #most: number;
  #begun: Promise<void>[] = [];
  #failure: { readonly cause: unknown } | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins more, and waits for the oldest while there is too much; throws what any of it threw. */
  async begin(work: () => Promise<void>): Promise<void> {
    this.#throwFailure();
    this.#begun.push(work().catch((cause: unknown) => void (this.#failure ??= { cause })));
    while (this.#begun.length > this.#most) await this.#begun.shift();
    this.#throwFailure();
  }

  /** Waits for all of it; throws what any of it threw. */
  async settle(): Promise<void> {
    await this.ended();
    this.#throwFailure();
  }

  /** Waits for all of it, however it ends. */
  async ended(): Promise<void> {
    while (this.#begun.length > 0) await this.#begun.shift();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }
}
