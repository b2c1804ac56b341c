/**
 * What a guess at the words of a backup costs where tests make keys to prove something else: nothing.
 * Every opening of such a backup, in whatever process, is then spared the third of a second that the
 * real one takes. That what is shipped has the real one is told in `test/core/backup/phrase-work.test.ts`.
 */
export const LITTLE_PHRASE_WORK = 1;
