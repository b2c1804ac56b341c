import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { withStorageErrors } from '../database/storage-errors.ts';

/** Lock made by a transaction on a separate, empty file. */
interface FileLock {
  /**
   * Begins the transaction unless one is already open. Returns false if another process holds a
   * conflicting lock.
   */
  take(begin: string): boolean;
  free(): void;
}

/**
 * Creates a lock. The operating system ends the transaction when the process ends for any reason.
 */
export function createFileLock(file: string): FileLock {
  let held: Sqlite.Database | undefined;
  return {
    take(begin) {
      held ??= withStorageErrors(() => tryLock(file, begin));
      return held !== undefined;
    },
    free() {
      held?.close();
      held = undefined;
    },
  };
}

function tryLock(file: string, begin: string): Sqlite.Database | undefined {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const raw = new Sqlite(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    raw.exec(begin);
    return raw;
  } catch (error) {
    raw.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      return undefined;
    throw error;
  }
}
