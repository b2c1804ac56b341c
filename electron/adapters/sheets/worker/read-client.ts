import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import {
  type SheetChoices,
  SheetNotice,
  SheetRow,
  SheetShape,
} from '../../../../shared/contract/sheets.ts';
import { AppError, Failure } from '../../../../shared/errors.ts';
import type { SheetReader } from '../../../core/sheet-ports.ts';
import { FILE_MAX, HEAP_MAX, TIME_MAX } from '../read/limits.ts';
import { limitThread } from '../../system/thread-time.ts';
import { refuse } from '../read/refuse.ts';
import { workerFile } from './file.ts';

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: Failure }),
]);
const Table = z.object({ shape: SheetShape, rows: z.array(SheetRow) });
const Lines = z.object({
  text: z.string(),
  sheets: SheetShape.shape.sheets,
  sheet: SheetShape.shape.sheet,
  notices: z.array(SheetNotice),
});

type Task =
  | {
      readonly task: 'read' | 'lines';
      readonly data: Uint8Array;
      readonly choices: SheetChoices;
    }
  | { readonly task: 'numbers'; readonly data: Uint8Array };

/** Each file has a worker of its own: what it does to its memory or its time ends with it. */
export function createSheetReader(): SheetReader {
  const running = new Set<Worker>();
  const ask = async (task: Task): Promise<unknown> => {
    if (task.data.length > FILE_MAX) {
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
      return await answerOf(worker, task);
    } finally {
      running.delete(worker);
      await worker.terminate();
    }
  };
  return {
    read: async (data, choices) => Table.parse(await ask({ task: 'read', data, choices })),
    readLines: async (data, choices) => Lines.parse(await ask({ task: 'lines', data, choices })),
    holdsNumber: async (data) => z.boolean().parse(await ask({ task: 'numbers', data })),
    async close() {
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

function answerOf(worker: Worker, task: Task): Promise<unknown> {
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
    worker.postMessage(task);
  });
}

function broken(cause: Error): AppError {
  const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? refuse('sheet-limit', 'The file needs more memory than a sheet may', cause)
    : refuse('sheet-damaged', 'The file cannot be read; open it and save it anew', cause);
}
