/**
 * Jobs that run one after the other, in the order they were asked for. One that fails gives its
 * error to whoever asked for it, and stops none of those behind it.
 */
export class Serial {
  #last: Promise<void> = Promise.resolve();
  #jobs = 0;

  /** Nothing runs, and nothing waits for its turn. */
  get isIdle(): boolean {
    return this.#jobs === 0;
  }

  /** Gives what the job gives, once its turn has come. */
  run<Result>(job: () => Result | Promise<Result>): Promise<Result> {
    this.#jobs += 1;
    const mine = this.#last.then(job);
    const end = () => {
      this.#jobs -= 1;
    };
    this.#last = mine.then(end, end);
    return mine;
  }

  /** Resolves once everything asked for so far has ended, well or not. */
  ended(): Promise<void> {
    return this.#last;
  }
}
