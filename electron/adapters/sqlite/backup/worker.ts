import { chmodSync } from 'node:fs';
import { connect, keyPragma } from '../database/cipher.ts';
import { serveData } from '../database/serve-data.ts';
import { inspect } from './inspect.ts';

/* Copies the data file, reads a copy from end to end, or encrypts one anew, beside the main loop. */

/**
 * One read of the whole file, which keeps writers from nothing: what they commit meanwhile waits in
 * the log. The online backup of SQLite copies no file that its cipher encrypts.
 */
function take(file: string, key: Uint8Array, into: string): void {
  const raw = connect(file, key, 'write');
  try {
    raw.pragma('busy_timeout = 5000');
    raw.pragma('temp_store = MEMORY');
    // The commits of others move the log; this connection only reads.
    raw.pragma('wal_autocheckpoint = 0');
    raw.prepare('VACUUM INTO ?').run(into);
    chmodSync(into, 0o600);
  } finally {
    raw.close();
  }
}

/** Only safe without a log beside the file (SQLite3 Multiple Ciphers). */
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
    take(file, key, into);
    return inspect(into, key);
  },
  inspect,
  changeKey,
};
export type CopyTasks = typeof tasks;

serveData(tasks);
