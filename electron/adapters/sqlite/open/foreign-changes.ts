import type { Clock } from '../../../core/ports.ts';
import type { Database } from '../database/database.ts';

/**
 * Poll interval (ms): fast enough for a user at the window; a check costs microseconds. @internal
 */
export const CHECK_EVERY_MS = 1000;
/**
 * Maximum number of checks during commits of this process's own thread, before a foreign commit is
 * assumed.
 */
const MAX_UNSURE = 10;

/**
 * Calls `onChange` after another process has committed to the data file. While a thread of this
 * process commits (`ownCommits` changes), foreign commits cannot be distinguished: `onChange` is
 * then called when the thread pauses, or after `MAX_UNSURE` checks. The returned function stops the
 * checks, and must be called before the database is closed.
 */
export function watchForeignChanges(
  database: Pick<Database, 'dataVersion'>,
  ownCommits: () => number,
  clock: Pick<Clock, 'after'>,
  onChange: () => void,
): () => void {
  let seen = database.dataVersion();
  let own = ownCommits();
  let unsure = 0;
  let cancel = clock.after(CHECK_EVERY_MS, check);

  function check(): void {
    cancel = clock.after(CHECK_EVERY_MS, check);
    const version = database.dataVersion();
    const commits = ownCommits();
    const isChanged = version !== seen;
    const isOwn = commits !== own;
    seen = version;
    own = commits;
    if (isChanged || unsure > 0) unsure += 1;
    if (unsure === 0 || (isOwn && unsure < MAX_UNSURE)) return;
    unsure = 0;
    onChange();
  }

  return () => {
    cancel();
  };
}
