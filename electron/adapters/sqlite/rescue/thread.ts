import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors.ts';
import type { RestorePlaces } from '../../../core/restore-ports.ts';
import { keyOf } from '../backup/copies.ts';
import { RescueReply, Saved } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './rescue-worker.mjs',
  import.meta.url,
);

/** Reads what can be read of a damaged file into a new one. */
export const salvageInThread: RestorePlaces['salvage'] = async (
  { file, key, into, now },
  onPages,
  signal,
) => {
  signal.throwIfAborted();
  const task = { file, key: keyOf({ file, key }), into, now };
  // Nothing of the program's arguments or variables is the thread's business.
  const worker = new Worker(WORKER, { workerData: task, env: {}, argv: [], execArgv: [] });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop);
  try {
    return Saved.parse(await answerOf(worker, onPages));
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};

function answerOf(worker: Worker, onPages: (done: number, all: number) => void): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.on('message', (message: unknown) => {
    const reply = RescueReply.parse(message);
    if (reply.kind === 'pages') onPages(reply.done, reply.all);
    else if (reply.kind === 'done') resolve(reply.value);
    else if (reply.failure !== null) reject(AppError.from(reply.failure));
    else reject(new Error('The thread of damaged files failed', { cause: reply.stack }));
  });
  worker.on('error', reject);
  worker.on('exit', () =>
    reject(new AppError('cancelled', 'Reading the damaged file was stopped')),
  );
  return promise;
}
