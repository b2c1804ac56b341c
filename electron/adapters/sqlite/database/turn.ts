/**
 * Coordinates writes with another thread of this process: writes that a user waits for come first.
 */
export interface WriteTurn {
  /**
   * Called before a write of this connection, so that the thread rolls back its open transaction.
   */
  take(): void;
  /** Called after the write, so that the thread continues. */
  give(): void;
}

export const noOpTurn: WriteTurn = { take: () => {}, give: () => {} };

/**
 * Indexes in the shared array: the number of waiting or running writes of the main loop, whether
 * the thread is writing, and the number of the thread's commits.
 */
const WANTED_INDEX = 0;
const INSIDE_INDEX = 1;
const COMMITS_INDEX = 2;
const SHARED_TURN_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/**
 * Maximum wait for the thread (ms), so that a lost thread blocks nothing; afterwards only SQLite's
 * own lock applies.
 */
const MAX_TURN_WAIT_MS = 50;
/**
 * Interval at which a waiting thread checks again (ms). The main loop signals when it has finished;
 * this covers a lost signal.
 */
const TURN_RECHECK_MS = 1000;

export const createSharedTurn = (): SharedArrayBuffer => new SharedArrayBuffer(SHARED_TURN_BYTES);

/**
 * Creates the main loop's part of the coordination. SQLite's lock protects the data; the turn only
 * determines who writes first.
 */
export function createWriteTurn(
  shared: SharedArrayBuffer,
): WriteTurn & { readonly threadCommits: () => number } {
  const numbers = new Int32Array(shared);
  const mayWait = canWait(numbers);
  return {
    take() {
      Atomics.add(numbers, WANTED_INDEX, 1);
      if (mayWait) Atomics.wait(numbers, INSIDE_INDEX, 1, MAX_TURN_WAIT_MS);
    },
    give() {
      Atomics.sub(numbers, WANTED_INDEX, 1);
      Atomics.notify(numbers, WANTED_INDEX);
    },
    threadCommits: () => Atomics.load(numbers, COMMITS_INDEX),
  };
}

/** The thread's part of the coordination. */
export interface YieldingTurn {
  /** Whether the main loop wants to write. */
  isWanted(): boolean;
  /** Runs `work` while the main loop is not writing. */
  inside<Result>(work: () => Result): Result;
}

export function createYieldingTurn(shared: SharedArrayBuffer): YieldingTurn {
  const numbers = new Int32Array(shared);
  const isWanted = () => Atomics.load(numbers, WANTED_INDEX) > 0;
  const leave = () => {
    Atomics.store(numbers, INSIDE_INDEX, 0);
    Atomics.notify(numbers, INSIDE_INDEX);
  };
  const enter = () => {
    for (;;) {
      for (let wanted = 1; wanted > 0; wanted = Atomics.load(numbers, WANTED_INDEX)) {
        Atomics.wait(numbers, WANTED_INDEX, wanted, TURN_RECHECK_MS);
      }
      Atomics.store(numbers, INSIDE_INDEX, 1);
      // Each thread announces itself before it checks the other one, so that they never continue at
      // the same time.
      if (!isWanted()) return;
      leave();
    }
  };
  return {
    isWanted,
    inside(work) {
      enter();
      // The commit is counted before it is made, so that its data is never visible with an old
      // count.
      Atomics.add(numbers, COMMITS_INDEX, 1);
      try {
        return work();
      } finally {
        leave();
      }
    },
  };
}

/** Whether this loop may block: a browser's main loop may not, Node's may. */
function canWait(numbers: Int32Array): boolean {
  try {
    return Atomics.wait(numbers, INSIDE_INDEX, 1, 0) === 'not-equal';
  } catch {
    return false;
  }
}
