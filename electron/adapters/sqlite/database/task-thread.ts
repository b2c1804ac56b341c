import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors.ts';
import { TaskReply } from './task-messages.ts';

interface ThreadTask {
  /** The thread's own file, which calls `doTask`. */
  readonly worker: URL;
  readonly task: unknown;
  /** English; what a stopped task and a failure of the thread itself are called. */
  readonly name: string;
  readonly onProgress?: (value: unknown) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does one task with SQLite beside the main loop, and gives what it comes to. Throws what the task
 * threw, and 'cancelled' once the thread was stopped.
 *
 * A thread that is stopped while SQLite's addon is being loaded in it takes the whole process down
 * (Node-API, "Error::New napi_get_last_error_info"): it is stopped once that is done.
 */
export async function inThread({
  worker: file,
  task,
  name,
  onProgress = () => {},
  signal,
}: ThreadTask): Promise<unknown> {
  signal?.throwIfAborted();
  // Nothing of the program's arguments or variables is the thread's business.
  const worker = new Worker(file, { workerData: task, env: {}, argv: [], execArgv: [] });
  let isLoaded = false;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    if (isLoaded) void worker.terminate();
  };
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        const reply = TaskReply.parse(message);
        if (reply.kind === 'loaded') {
          isLoaded = true;
          if (isStopped) stop();
        } else if (isStopped) return;
        else if (reply.kind === 'progress') onProgress(reply.value);
        else if (reply.kind === 'done') resolve(reply.value);
        else if (reply.failure !== null) reject(AppError.from(reply.failure));
        else reject(new Error(`${name} failed`, { cause: reply.stack }));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new AppError('cancelled', `${name} was stopped`)));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
