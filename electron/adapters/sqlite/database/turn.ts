/** Another thread of this process writes as well: what a person waits for comes before it. */
export interface WriteTurn {
  /** Before a write of this connection: the thread lets go of what it has begun. */
  take(): void;
  /** After it: the thread goes on. */
  give(): void;
}

export const noTurn: WriteTurn = { take: () => {}, give: () => {} };

/**
 * Places in the shared numbers: writes of the main loop that wait or go on; whether the thread writes;
 * how often it did.
 */
const WANTED = 0;
const INSIDE = 1;
const COMMITS = 2;
const BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/** Then SQLite's own waiting goes on, so that a thread that was lost holds up nothing. */
const MAX_MS = 50;
/** The main loop says itself when it has ended; this is for when it never does. */
const LOOK_AGAIN_MS = 1000;

export const sharedTurn = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES);

/** The main loop's side. The lock that counts is SQLite's: this only says who goes first. */
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
  /** Whether the main loop waits. */
  isWanted(): boolean;
  /** Runs `work` when the main loop writes nothing. */
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
        Atomics.wait(numbers, WANTED, wanted, LOOK_AGAIN_MS);
      }
      Atomics.store(numbers, INSIDE, 1);
      // Each side says what it wants before it looks at the other: never both go on.
      if (!isWanted()) return;
      leave();
    }
  };
  return {
    isWanted,
    inside(work) {
      enter();
      // Before it commits: nobody sees what it wrote without this.
      Atomics.add(numbers, COMMITS, 1);
      try {
        return work();
      } finally {
        leave();
      }
    },
  };
}

/** A browser's main loop may not wait; the main loop of Node may. */
function canWait(numbers: Int32Array): boolean {
  try {
    return Atomics.wait(numbers, INSIDE, 1, 0) === 'not-equal';
  } catch {
    return false;
  }
}
