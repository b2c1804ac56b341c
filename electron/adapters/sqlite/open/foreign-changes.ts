import type { Clock } from '../../../core/ports.ts';
import type { Database } from '../database/database.ts';

/** Soon enough for a person who looks at the window; the question costs microseconds. @internal */
export const CHECK_EVERY_MS = 1000;

/**
 * Calls `onChange` after another process has committed to the data file. The returned function
 * ends it, and must be called before the database is closed.
 */
export function watchForeignChanges(
  database: Pick<Database, 'dataVersion'>,
  clock: Pick<Clock, 'after'>,
  onChange: () => void,
): () => void {
  let seen = database.dataVersion();
  let cancel = clock.after(CHECK_EVERY_MS, check);

  function check(): void {
    cancel = clock.after(CHECK_EVERY_MS, check);
    const version = database.dataVersion();
    if (version === seen) return;
    seen = version;
    onChange();
  }

  return () => {
    cancel();
  };
}
