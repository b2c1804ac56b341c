/**
 * Work that is requested more often than it must run. A run starts immediately if no other run is
 * in progress. All requests during a run share the next run.
 */
export class CoalescedTask {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  /** Resolves when the latest run has ended, even if it failed. */
  #ended: Promise<void> = Promise.resolve();
  /** The run that was requested during the current one. */
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    // An error that `work` throws before its first `await` rejects the run, too.
    this.#work = async () => work();
  }

  get isWanted(): boolean {
    return this.#next !== null;
  }

  get isIdle(): boolean {
    return !this.#isRunning && this.#next === null;
  }

  /**
   * Waits for the first run that starts after this call, and throws its error; errors of other runs
   * are not thrown.
   */
  run(): Promise<void> {
    if (this.isIdle) return this.#begin();
    this.#next ??= this.#ended.then(() => this.#begin());
    return this.#next;
  }

  /** Resolves once every run requested so far has ended, even if it failed. */
  async ended(): Promise<void> {
    await Promise.allSettled([this.#ended, this.#next]);
  }

  #begin(): Promise<void> {
    this.#next = null;
    this.#isRunning = true;
    const run = this.#work();
    const end = () => {
      this.#isRunning = false;
    };
    this.#ended = run.then(end, end);
    return run;
  }
}
