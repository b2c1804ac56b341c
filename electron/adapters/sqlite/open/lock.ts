import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { WriterLock } from '../../../core/outbox/ports.ts';
import { withStorageErrors } from '../database/storage-errors.ts';

/**
 * The lock is a write transaction on a file of its own, which holds nothing: the operating system
 * ends it with the process, however that dies.
 */
export function createWriterLock(file: string): WriterLock {
  let held: Sqlite.Database | undefined;
  return {
    take: () => {
      held ??= withStorageErrors(() => tryLock(file));
      return held !== undefined;
    },
    free: () => {
      held?.close();
      held = undefined;
    },
  };
}

function tryLock(file: string): Sqlite.Database | undefined {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const raw = new Sqlite(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    // EXCLUSIVE would also wait for readers: of two that start together, both could be turned away.
    raw.exec('BEGIN IMMEDIATE');
    return raw;
  } catch (error) {
    raw.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      return undefined;
    throw error;
  }
}
