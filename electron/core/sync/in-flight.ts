/** Work that runs in parallel with the caller, awaited in order; limited in number. */
export class InFlight {
  readonly #most: number;
  #begun: Promise<void>[] = [];
  #failure: { readonly cause: unknown } | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Starts more work, and waits for the oldest above the limit; throws any failure of earlier work.
   */
  async begin(work: () => Promise<void>): Promise<void> {
    this.#throwFailure();
    this.#begun.push(work().catch((cause: unknown) => void (this.#failure ??= { cause })));
    while (this.#begun.length > this.#most) await this.#begun.shift();
    this.#throwFailure();
  }

  /** Waits for all work; throws its first failure. */
  async settle(): Promise<void> {
    await this.ended();
    this.#throwFailure();
  }

  /** Waits for all work; ignores failures. */
  async ended(): Promise<void> {
    while (this.#begun.length > 0) await this.#begun.shift();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }
}
