/**
 * Runs jobs one after the other, in the order of the requests. A failed job reports its error to
 * its caller and does not stop the jobs after it.
 */
export class Serial {
  #last: Promise<void> = Promise.resolve();
  #jobs = 0;

  /** Whether no job is running or waiting. */
  get isIdle(): boolean {
    return this.#jobs === 0;
  }

  /** Runs the job after all earlier jobs, and returns its result. */
  run<Result>(job: () => Result | Promise<Result>): Promise<Result> {
    this.#jobs += 1;
    const mine = this.#last.then(job);
    const end = () => {
      this.#jobs -= 1;
    };
    this.#last = mine.then(end, end);
    return mine;
  }

  /** Resolves once every job requested so far has ended, even if it failed. */
  ended(): Promise<void> {
    return this.#last;
  }
}
