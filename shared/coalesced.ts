/**
 * Work that is asked for more often than it need be done. It begins at once, but never beside
 * itself: whoever asks while a run is under way shares the next one with all others who do.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  /** Resolves when the latest run has ended, well or not. */
  #ended: Promise<void> = Promise.resolve();
  /** The run that was asked for while one was under way. */
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    // What it throws before its first wait is an error of the run, too.
    this.#work = async () => work();
  }

  /** A run is asked for that has not begun. */
  get isWanted(): boolean {
    return this.#next !== null;
  }

  /** No run is under way or asked for. */
  get isIdle(): boolean {
    return !this.#isRunning && this.#next === null;
  }

  /** Gives how the first run ends that begins after this call; its error is no other run's. */
  run(): Promise<void> {
    if (this.isIdle) return this.#begin();
    this.#next ??= this.#ended.then(() => this.#begin());
    return this.#next;
  }

  /** Resolves once every run asked for so far has ended, well or not. */
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
