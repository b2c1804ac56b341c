/**
 * Runs a limited number of tasks in parallel with the caller, and awaits them in order of their
 * start.
 */
export class InFlight {
  readonly #most: number;
  #begun: Promise<void>[] = [];
  #failure: { readonly cause: unknown } | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Starts a task; above the limit, waits for the oldest. Throws the first failure of any task
   * started so far.
   */
  async begin(work: () => Promise<void>): Promise<void> {
    this.#throwFailure();
    this.#begun.push(work().catch((cause: unknown) => void (this.#failure ??= { cause })));
    while (this.#begun.length > this.#most) await this.#begun.shift();
    this.#throwFailure();
  }

  /** Waits for all tasks; throws the first failure. */
  async settle(): Promise<void> {
    await this.ended();
    this.#throwFailure();
  }

  /** Waits for all tasks; ignores failures. */
  async ended(): Promise<void> {
    while (this.#begun.length > 0) await this.#begun.shift();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }
}
