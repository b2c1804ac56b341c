import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { makeKeys, openKeys } from './keys.ts';
import { type BackupReply, BackupTask } from './messages.ts';
import { pack } from './pack.ts';
import { readBackup } from './unpack.ts';

/*
 * Encrypts and decrypts backups, and derives keys of phrases, beside the main loop: one task, and
 * the thread ends.
 */

/** Reported in steps: a message for each piece would cost more than the piece. */
const STEP = 8 * 1024 * 1024;

function post(reply: BackupReply): void {
  parentPort?.postMessage(reply);
}

let unreported = 0;
function onBytes(bytes: number): void {
  unreported += bytes;
  if (unreported < STEP) return;
  post({ kind: 'bytes', bytes: unreported });
  unreported = 0;
}

async function run(task: BackupTask): Promise<unknown> {
  switch (task.do) {
    case 'make-keys':
      return makeKeys(task.phrase, task.work);
    case 'check-secret':
      await openKeys(task.wrapped, task.secret);
      return null;
    case 'pack':
      return pack(task.order, onBytes);
    case 'unpack': {
      const { manifest, secrets, bytes } = await readBackup(
        task.file,
        { secret: task.secret },
        task.into,
        onBytes,
      );
      return { manifest, secrets, bytes };
    }
  }
}

try {
  post({ kind: 'done', value: await run(BackupTask.parse(workerData)) });
} catch (error) {
  const failure = error instanceof AppError ? error.failure : null;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ kind: 'failed', failure, stack });
}
