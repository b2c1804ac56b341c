import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import type { BackupFiles } from '../../core/backup/ports.ts';
import { checkRecipient } from './keys.ts';
import { type BackupTask, Keys, Packed, Reply, UnpackedReply } from './messages.ts';
import { newPhrase } from '../system/phrase.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './backup-worker.mjs',
  import.meta.url,
);

/** @param work what a guess at a phrase costs, where tests make many; otherwise what is shipped. */
export function createBackupFiles(work?: number): BackupFiles {
  return {
    newPhrase,
    checkRecipient,
    makeKeys: async (phrase) => Keys.parse(await inThread({ do: 'make-keys', phrase, work })),
    checkSecret: async ({ wrapped }, secret) => {
      await inThread({ do: 'check-secret', wrapped: new Uint8Array(wrapped), secret });
    },
    pack: async (order, onBytes, signal) =>
      Packed.parse(await inThread({ do: 'pack', order }, onBytes, signal)),
    unpack: async (order, onBytes, signal) =>
      UnpackedReply.parse(await inThread({ do: 'unpack', ...order }, onBytes, signal)),
  };
}

async function inThread(
  task: BackupTask,
  onBytes: (bytes: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<unknown> {
  signal?.throwIfAborted();
  // Nothing of the program's arguments or variables is the thread's business.
  const worker = new Worker(WORKER, { workerData: task, env: {}, argv: [], execArgv: [] });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await answerOf(worker, onBytes);
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function answerOf(worker: Worker, onBytes: (bytes: number) => void): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.on('message', (message: unknown) => {
    const reply = Reply.parse(message);
    if (reply.kind === 'bytes') onBytes(reply.bytes);
    else if (reply.kind === 'done') resolve(reply.value);
    else if (reply.failure !== null) reject(AppError.from(reply.failure));
    else reject(new Error('The thread of backups failed', { cause: reply.stack }));
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new AppError('cancelled', 'The backup was stopped')));
  return promise;
}
