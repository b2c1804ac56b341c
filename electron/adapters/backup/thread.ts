import { AppError } from '../../../shared/errors.ts';
import type { BackupFiles } from '../../core/backup/ports.ts';
import { newPhrase } from '../system/phrase.ts';
import { threadFile } from '../threads/file.ts';
import { OneCallThreads } from '../threads/once.ts';
import { checkRecipient } from './keys.ts';
import type { BackupTasks } from './worker.ts';

const failed = (cause: Error): Error => new Error('The thread of backups failed', { cause });

const threads = new OneCallThreads<BackupTasks>({
  file: threadFile(import.meta.url, './worker.ts', 'backup-worker'),
  work: 'Backups',
  refusals: {
    stopped: () => new AppError('cancelled', 'The backup was stopped'),
    failed,
    time: failed,
    memory: failed,
  },
});

/** @param work base-2 logarithm of scrypt's N, lowered in tests; default: the shipped cost. */
export function createBackupFiles(work?: number): BackupFiles {
  return {
    newPhrase,
    checkRecipient,
    makeKeys: (phrase) => threads.call('makeKeys', [phrase, work]),
    checkSecret: ({ wrapped }, secret) =>
      threads.call('checkSecret', [new Uint8Array(wrapped), secret]),
    pack: (order, onProgress, signal) => threads.call('pack', [order], { onProgress, signal }),
    unpack: (order, onProgress, signal) => threads.call('unpack', [order], { onProgress, signal }),
  };
}
