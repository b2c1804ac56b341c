import Sqlite from 'better-sqlite3';
import type { ReportProgress } from '../../threads/messages.ts';
import { type Functions, serveThread } from '../../threads/serve.ts';
import { withStorageErrors } from './storage-errors.ts';

/**
 * Serves a thread that works on a data file; what SQLite and the file system throw there becomes an
 * `AppError` 'storage'.
 * @returns reports how far it is to whoever began it
 */
export function serveData(tasks: Functions): ReportProgress {
  // The addon is loaded with the first database, and a thread that serves may be stopped.
  new Sqlite(':memory:').close();
  const served: Record<string, Functions[string]> = {};
  for (const [name, run] of Object.entries(tasks)) {
    served[name] = (...asked) => withStorageErrors(() => run(...asked));
  }
  return serveThread(served);
}
