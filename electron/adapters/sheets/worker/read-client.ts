import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { SheetRow, SheetShape, type SheetChoices } from '../../../../shared/contract/sheets.ts';
import { AppError, Failure } from '../../../../shared/errors.ts';
import type { ReadSheet, SheetReader } from '../../../core/sheet-ports.ts';
import { FILE_MAX, HEAP_MAX, TIME_MAX } from '../read/limits.ts';
import { limitThread } from '../../system/thread-time.ts';
import { refuse } from '../read/refuse.ts';
import { workerFile } from './file.ts';

const Answer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    value: z.object({ shape: SheetShape, rows: z.array(SheetRow) }),
  }),
  z.object({ ok: z.literal(false), failure: Failure }),
]);

/** Each file has a worker of its own: what it does to its memory or its time ends with it. */
export function createSheetReader(): SheetReader {
  const running = new Set<Worker>();
  return {
    async read(data, choices) {
      if (data.length > FILE_MAX) {
        throw refuse('sheet-limit', `The file is larger than ${FILE_MAX / 1024 / 1024} MB`);
      }
      const worker = new Worker(workerFile, {
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX },
        // Nothing of the program's arguments or variables is the file's business.
        env: {},
        argv: [],
        stdout: true,
        stderr: true,
      });
      running.add(worker);
      try {
        return await answerOf(worker, data, choices);
      } finally {
        running.delete(worker);
        await worker.terminate();
      }
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

function answerOf(worker: Worker, data: Uint8Array, choices: SheetChoices): Promise<ReadSheet> {
  return new Promise((resolve, reject) => {
    const endLimit = limitThread(worker, TIME_MAX, () => {
      reject(
        refuse('sheet-limit', `The file takes longer than ${TIME_MAX / 1000} seconds to read`),
      );
    });
    const settle = (end: () => void): void => {
      endLimit();
      end();
    };
    worker.once('message', (message: unknown) => {
      settle(() => {
        const answer = Answer.parse(message);
        if (answer.ok) resolve(answer.value);
        else reject(AppError.from(answer.failure));
      });
    });
    worker.once('error', (cause: Error) => {
      settle(() => reject(broken(cause)));
    });
    worker.once('exit', () => {
      settle(() => reject(new AppError('cancelled', 'Reading the file was stopped')));
    });
    worker.postMessage({ task: 'read', data, choices });
  });
}

function broken(cause: Error): AppError {
  const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? refuse('sheet-limit', 'The file needs more memory than a sheet may', cause)
    : refuse('sheet-damaged', 'The file cannot be read; open it and save it anew', cause);
}
