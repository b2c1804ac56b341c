import { chmodSync } from 'node:fs';
import { connect, keyPragma } from '../database/cipher.ts';
import { serveData } from '../database/serve-data.ts';
import { inspectDataFile } from './inspect.ts';

/* Copies the data file, checks a copy, or encrypts one with a new key, off the main loop. */

/**
 * Copies the whole file in one transaction. Writers are not blocked: their commits stay in the WAL.
 * SQLite's online backup cannot copy a file encrypted by its cipher.
 */
function takeDataCopy(file: string, key: Uint8Array, into: string): void {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('busy_timeout = 5000');
    raw.pragma('temp_store = MEMORY');
    // Other connections checkpoint the WAL; this connection only reads.
    raw.pragma('wal_autocheckpoint = 0');
    raw.prepare('VACUUM INTO ?').run(into);
    chmodSync(into, 0o600);
  } finally {
    raw.close();
  }
}

/** Encrypts a file with a new key. This is only safe without a WAL (SQLite3 Multiple Ciphers). */
function changeKey(file: string, key: Uint8Array, newKey: Uint8Array): void {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('journal_mode = DELETE');
    raw.pragma('temp_store = MEMORY');
    raw.pragma(keyPragma('rekey', newKey));
  } finally {
    raw.close();
  }
}

const tasks = {
  take(file: string, key: Uint8Array, into: string) {
    takeDataCopy(file, key, into);
    return inspectDataFile(into, key);
  },
  inspect: inspectDataFile,
  changeKey,
};
export type CopyTasks = typeof tasks;

serveData(tasks);
