import { Worker } from 'node:worker_threads';
import type * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { limitThread } from '../system/thread-time.ts';
import { type Ask, type Given, Progress, Reply } from './worker-messages.ts';

/** The worker's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './pdf-worker.mjs',
  import.meta.url,
);

/** What one file may take; the largest real forms take a hundredth of it. */
export interface Limits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

export const LIMITS: Limits = { milliseconds: 20_000, megabytes: 512 };
/** A file that unpacks without end grows by gigabytes in a second. */
const CHECK_EVERY = 50;
const MEGABYTE = 1024 * 1024;

/** Somebody who waits for a piece of work, hears how far it is, and can end it with its thread. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Work in a thread of its own, one ask after the other. */
export interface WorkerClient {
  ask<Value>(ask: Ask, schema: z.ZodType<Value>, waiting?: Waiting): Promise<Value>;
  /** How often the thread was lost; what it kept is gone with it. */
  readonly losses: number;
  close(): Promise<void>;
}

export function createWorkerClient(limits: Limits, given: Given): WorkerClient {
  let worker: Worker | null = null;
  const turns = new Serial();
  let losses = 0;

  const lose = async (): Promise<void> => {
    const lost = worker;
    worker = null;
    losses += 1;
    await lost?.terminate();
  };
  const run = async (ask: Ask, waiting?: Waiting): Promise<unknown> => {
    if (waiting?.signal.aborted === true) throw ended();
    const used = (worker ??= startWorker(limits, given));
    // A command must not end in the middle, and must end when nothing is left to do.
    used.ref();
    try {
      return await answerOf(used, ask, limits, waiting);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      await lose();
      throw error.failure;
    } finally {
      used.unref();
    }
  };

  return {
    async ask(ask, schema, waiting) {
      return schema.parse(await turns.run(() => run(ask, waiting)));
    },
    get losses() {
      return losses;
    },
    async close() {
      await turns.ended();
      const open = worker;
      if (open === null) return;
      worker = null;
      losses += 1;
      await open.terminate();
    },
  };
}

function startWorker({ megabytes }: Limits, given: Given): Worker {
  return new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // Nothing of the program's arguments or variables is a file's business.
    env: {},
    argv: [],
    execArgv: [],
    workerData: given,
    stdout: true,
    stderr: true,
  });
}

/** The thread does not answer any more. */
class Lost extends Error {
  readonly failure: AppError;

  constructor(failure: AppError) {
    super(failure.message);
    this.failure = failure;
  }
}

const ended = () => new AppError('cancelled', 'Reading the PDF was ended');

function answerOf(worker: Worker, ask: Ask, limits: Limits, waiting?: Waiting): Promise<unknown> {
  const before = process.memoryUsage.rss();
  const most = before + limits.megabytes * MEGABYTE;
  return new Promise((resolve, reject) => {
    const lose = (failure: AppError) => {
      end();
      reject(new Lost(failure));
    };
    const lost = (message: string, cause?: unknown) =>
      lose(new AppError('invalid', message, { reason: 'pdf-limit', cause }));
    const stop = () => lose(ended());
    const endLimit = limitThread(worker, limits.milliseconds, () =>
      lost(`The PDF takes longer than ${limits.milliseconds / 1000} seconds`),
    );
    const check = setInterval(() => {
      if (process.memoryUsage.rss() > most) lost(`The PDF takes more than ${limits.megabytes} MB`);
    }, CHECK_EVERY);
    const hear = (message: unknown) => {
      const progress = Progress.safeParse(message);
      if (progress.success) return waiting?.report(progress.data);
      end();
      const reply = Reply.parse(message);
      if (reply.ok) resolve(reply.value);
      else if (reply.failure !== null) reject(AppError.from(reply.failure));
      else reject(new Error('Reading a PDF failed', { cause: reply.stack }));
    };
    const fail = (cause: unknown) => lost('The PDF cannot be read within limits', cause);
    const end = () => {
      endLimit();
      clearInterval(check);
      waiting?.signal.removeEventListener('abort', stop);
      worker.off('message', hear);
      worker.off('error', fail);
      worker.off('exit', fail);
    };
    waiting?.signal.addEventListener('abort', stop);
    worker.on('message', hear);
    worker.on('error', fail);
    worker.on('exit', fail);
    worker.postMessage(ask);
  });
}
