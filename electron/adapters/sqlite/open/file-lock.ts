import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { withStorageErrors } from '../database/storage-errors.ts';

/** A transaction on a file of its own, which holds nothing. */
interface FileLock {
  /** Begins the transaction where none is held; false while another process holds one against it. */
  take(begin: string): boolean;
  free(): void;
}

/** The operating system ends the transaction with the process, however that dies. */
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
