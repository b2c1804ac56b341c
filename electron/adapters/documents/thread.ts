import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { limitThread } from '../system/thread-time.ts';
import { THREAD_MEGABYTES, THREAD_MILLISECONDS } from './limits.ts';
import { DAMAGED, refuse } from './refuse.ts';
import { Reply, type Task } from './worker-messages.ts';

/** Beside this one in the sources, beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './document-worker.mjs',
  import.meta.url,
);

/** Each file has a thread of its own: what it does to its memory or its time ends with it. */
export async function inThread(task: Task): Promise<unknown> {
  const worker = new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
    // Nothing of the program's arguments or variables is the file's business.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  try {
    return await answerOf(worker, task);
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, task: Task): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const endLimit = limitThread(worker, THREAD_MILLISECONDS, () => {
      reject(refuse('document-limit', 'The file takes too long to read'));
    });
    const settle = (end: () => void): void => {
      endLimit();
      end();
    };
    worker.once('message', (message: unknown) => {
      settle(() => {
        const reply = Reply.parse(message);
        if (reply.ok) resolve(reply.value);
        else reject(AppError.from(reply.failure));
      });
    });
    worker.once('error', (cause: Error) => {
      settle(() => {
        const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const words = 'The file takes too much memory to read';
        reject(
          isMemory
            ? refuse('document-limit', words, cause)
            : refuse('document-damaged', DAMAGED, cause),
        );
      });
    });
    worker.once('exit', () => {
      settle(() => reject(refuse('document-limit', 'The file cannot be read within limits')));
    });
    worker.postMessage(task);
  });
}
