import type { WritePace } from './page-writer.ts';

/** Target duration of a COMMIT after its rows are written (ms): no other write can interrupt it. */
const COMMIT_MS = 2.5;
/**
 * Minimum and maximum number of agreements per commit, however slow the disk is or however much is
 * in memory.
 */
const MIN_AGREEMENTS = 10;
const MAX_AGREEMENTS = 400;
/** Maximum number of pages per commit; empty pages need a commit as well. */
const MAX_PAGES = 20;
/** Initial number of agreements per commit. */
const FIRST_AGREEMENTS = 40;

/**
 * Adapts the number of agreements per commit so that the COMMIT takes a few milliseconds. The time
 * to write rows does not count: the rows are rolled back as soon as the main loop waits to write.
 */
export function createPace(isWanted: () => boolean): WritePace {
  let most = FIRST_AGREEMENTS;
  return {
    most: () => Math.floor(most),
    pages: MAX_PAGES,
    between: 5,
    isOver() {
      // The smallest commit is never rolled back: otherwise a constant writer would block all
      // copies.
      if (most <= MIN_AGREEMENTS || !isWanted()) return false;
      most = Math.max(MIN_AGREEMENTS, most / 4);
      return true;
    },
    committed(agreements, milliseconds) {
      if (agreements < MIN_AGREEMENTS) return;
      const fitting = (agreements * COMMIT_MS) / Math.max(milliseconds, 0.1);
      most = Math.min(MAX_AGREEMENTS, Math.max(MIN_AGREEMENTS, (most + fitting) / 2));
    },
  };
}
