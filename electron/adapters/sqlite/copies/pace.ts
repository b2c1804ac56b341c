import type { Pace } from './page-writer.ts';

/** What a commit may take once its rows are written: nobody can come before it any more. */
const COMMIT_MS = 2.5;
/** However slow the disk is, and however much lies in memory. */
const MIN_AGREEMENTS = 10;
const MAX_AGREEMENTS = 400;
/** Empty ones cost a commit as well. */
const MAX_PAGES = 20;
/** At first, and after somebody came first. */
const FIRST = 40;

/**
 * As many agreements in a commit as it can write to the disk in a few milliseconds, however long
 * their rows take: those are given up as soon as the main loop waits.
 */
export function createPace(isWanted: () => boolean): Pace {
  let most = FIRST;
  return {
    most: () => Math.floor(most),
    pages: MAX_PAGES,
    between: 5,
    isOver() {
      // A smallest commit is made all the same: otherwise one who writes all the time stops all copies.
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
