import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors.ts';
import type { DataSpace } from '../../../core/privacy/ports.ts';
import type { OpenDatabase } from '../open/open.ts';
import { Measured, SpaceReply, type SpaceTask } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './space-worker.mjs',
  import.meta.url,
);

/** The room that an open data file takes. */
export function spaceOf({ file, key }: Pick<OpenDatabase, 'file' | 'key'>): DataSpace {
  const task = (what: SpaceTask['do']): SpaceTask => ({ do: what, file, key: new Uint8Array(key) });
  return {
    measure: async () => Measured.parse(await inThread(task('measure'))),
    async compactInSteps(onFreed, signal) {
      await inThread(task('compact-in-steps'), onFreed, signal);
    },
    async compactWhole() {
      await inThread(task('compact-whole'));
    },
  };
}

async function inThread(
  task: SpaceTask,
  onFreed: (pages: number, of: number) => void = () => {},
  signal?: AbortSignal,
): Promise<unknown> {
  signal?.throwIfAborted();
  // Nothing of the program's arguments or variables is the thread's business.
  const worker = new Worker(WORKER, { workerData: task, env: {}, argv: [], execArgv: [] });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        const reply = SpaceReply.parse(message);
        if (reply.kind === 'freed') onFreed(reply.pages, reply.of);
        else if (reply.kind === 'done') resolve(reply.value);
        else if (reply.failure !== null) reject(AppError.from(reply.failure));
        else reject(new Error('The thread of the data file failed', { cause: reply.stack }));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new AppError('cancelled', 'Compacting was stopped')));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
