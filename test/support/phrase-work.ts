/**
 * Work factor that reduces the cost of a guess at a recovery phrase to nothing, for tests about
 * other subjects. It saves the third of a second of the real cost each time that a process opens
 * such a backup. `test/core/backup/phrase-work.test.ts` checks that the shipped program has the
 * real cost.
 */
export const LITTLE_PHRASE_WORK = 1;
