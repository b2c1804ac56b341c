import { chmodSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { connect, keyPragma } from '../database/cipher.ts';
import { doTask } from '../database/task-worker.ts';
import { inspect } from './inspect.ts';
import { CopyTask } from './messages.ts';

/*
 * Copies the data file, reads a copy from end to end, or encrypts one anew, beside the main loop: one
 * task, and the thread ends.
 */

function run(task: CopyTask): unknown {
  switch (task.do) {
    case 'take':
      take(task.file, task.key, task.into);
      return inspect(task.into, task.key);
    case 'inspect':
      return inspect(task.file, task.key);
    case 'change-key':
      changeKey(task.file, task.key, task.newKey);
      return null;
  }
}

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

doTask(() => run(CopyTask.parse(workerData)));
