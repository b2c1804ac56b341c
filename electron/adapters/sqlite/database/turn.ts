/**
 * Coordinates writes with another thread of this process: writes that a user waits for come first.
 */
export interface WriteTurn {
  /** Called before a write of this connection: the thread rolls back its open transaction. */
  take(): void;
  /** Called after the write: the thread continues. */
  give(): void;
}

export const noTurn: WriteTurn = { take: () => {}, give: () => {} };

/**
 * Indexes in the shared array: waiting or running writes of the main loop; whether the thread is
 * writing; number of its commits.
 */
const WANTED = 0;
const INSIDE = 1;
const COMMITS = 2;
const BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/**
 * Maximum wait for the thread (ms), so that a lost thread blocks nothing; then SQLite's own lock
 * applies.
 */
const MAX_MS = 50;
/** The main loop signals when it has finished; this covers a lost signal. */
const TURN_RECHECK_MS = 1000;

export const sharedTurn = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES);

/** The main loop's side. SQLite's lock protects the data: this only sets the order. */
export function createWriteTurn(
  shared: SharedArrayBuffer,
): WriteTurn & { readonly threadCommits: () => number } {
  const numbers = new Int32Array(shared);
  const mayWait = canWait(numbers);
  return {
    take() {
      Atomics.add(numbers, WANTED, 1);
      if (mayWait) Atomics.wait(numbers, INSIDE, 1, MAX_MS);
    },
    give() {
      Atomics.sub(numbers, WANTED, 1);
      Atomics.notify(numbers, WANTED);
    },
    threadCommits: () => Atomics.load(numbers, COMMITS),
  };
}

/** The thread's side. */
export interface YieldingTurn {
  /** Whether the main loop wants to write. */
  isWanted(): boolean;
  /** Runs `work` while the main loop is not writing. */
  inside<Result>(work: () => Result): Result;
}

export function createYieldingTurn(shared: SharedArrayBuffer): YieldingTurn {
  const numbers = new Int32Array(shared);
  const isWanted = () => Atomics.load(numbers, WANTED) > 0;
  const leave = () => {
    Atomics.store(numbers, INSIDE, 0);
    Atomics.notify(numbers, INSIDE);
  };
  const enter = () => {
    for (;;) {
      for (let wanted = 1; wanted > 0; wanted = Atomics.load(numbers, WANTED)) {
        Atomics.wait(numbers, WANTED, wanted, TURN_RECHECK_MS);
      }
      Atomics.store(numbers, INSIDE, 1);
      // Each side announces itself before it checks the other, so that both never continue.
      if (!isWanted()) return;
      leave();
    }
  };
  return {
    isWanted,
    inside(work) {
      enter();
      // Counted before the commit, so that its data is never visible with an old count.
      Atomics.add(numbers, COMMITS, 1);
      try {
        return work();
      } finally {
        leave();
      }
    },
  };
}

/** Blocking is not allowed on a browser's main loop; on Node's it is. */
function canWait(numbers: Int32Array): boolean {
  try {
    return Atomics.wait(numbers, INSIDE, 1, 0) === 'not-equal';
  } catch {
    return false;
  }
}
