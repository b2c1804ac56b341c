import { AppError } from '../../../shared/errors.ts';
import type { BackupFiles } from '../../core/backup/ports.ts';
import { threadFile } from '../threads/file.ts';
import { OneCallThreads } from '../threads/once.ts';
import type { BackupTasks } from './worker.ts';

const backupThreadError = (cause: Error): Error =>
  new Error('The thread of backups failed', { cause });

const threads = new OneCallThreads<BackupTasks>({
  file: threadFile(import.meta.url, './worker.ts', 'backup-worker'),
  work: 'Backups',
  refusals: {
    stopped: () => new AppError('cancelled', 'The backup was stopped'),
    failed: backupThreadError,
    time: backupThreadError,
    memory: backupThreadError,
  },
});

/** @param work base-2 logarithm of scrypt's N, lowered in tests; default: the shipped cost. */
export function createBackupFiles(work?: number): BackupFiles {
  return {
    // The library of age is loaded on first use: every start of the program would wait for it.
    newPhrase: async () => (await import('../system/phrase.ts')).newPhrase(),
    checkRecipient: async (text) => (await import('./keys.ts')).checkRecipient(text),
    makeKeys: (phrase) => threads.call('makeKeys', [phrase, work]),
    checkSecret: ({ wrapped }, secret) =>
      threads.call('checkSecret', [new Uint8Array(wrapped), secret]),
    pack: (order, onProgress, signal) => threads.call('pack', [order], { onProgress, signal }),
    unpack: (order, onProgress, signal) => threads.call('unpack', [order], { onProgress, signal }),
  };
}
