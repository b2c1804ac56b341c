import Sqlite from 'better-sqlite3';
import type { ReportProgress } from '../../threads/messages.ts';
import { type ServedFunctions, serveThread } from '../../threads/serve.ts';
import { withStorageErrors } from './storage-errors.ts';

/**
 * Serves a thread that works on a data file; errors of SQLite and the file system become an
 * `AppError` 'storage'.
 * @returns a function that reports progress to the thread's owner
 */
export function serveData(tasks: ServedFunctions): ReportProgress {
  // The addon is loaded now: a thread may be stopped once it serves, and must not be stopped while
  // it loads the addon.
  new Sqlite(':memory:').close();
  const served: Record<string, ServedFunctions[string]> = {};
  for (const [name, run] of Object.entries(tasks)) {
    served[name] = (...asked) => withStorageErrors(() => run(...asked));
  }
  return serveThread(served);
}
