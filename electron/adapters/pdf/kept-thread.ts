import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { CallResult, CallArguments } from '../threads/calls.ts';
import {
  type ThreadOptions,
  type CallLimits,
  Thread,
  ThreadFailedError,
  ThreadLostError,
} from '../threads/connect.ts';
import { threadFile } from '../threads/file.ts';
import { type ThreadErrors, toThreadError } from '../threads/once.ts';
import type { PdfTasks } from './worker.ts';

/** Limits for one file; the largest real forms use a hundredth of them. */
export interface PdfThreadLimits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

export const PDF_THREAD_LIMITS: PdfThreadLimits = { milliseconds: 20_000, megabytes: 512 };

/** @param fontFolders font folders of this computer, if the thread draws */
export const pdfThread = (
  { milliseconds, megabytes }: PdfThreadLimits,
  fontFolders: Iterable<string>,
): ThreadOptions & CallLimits & { readonly refusals: ThreadErrors } => {
  const tooMuch = (message: string) => (cause: Error) =>
    new AppError('invalid', message, { reason: 'pdf-limit', cause });
  const lost = tooMuch('The PDF needs more time or memory to read than is allowed');
  return {
    file: threadFile(import.meta.url, './worker.ts', 'pdf-worker'),
    workerData: { fontFolders: [...fontFolders] },
    work: 'Reading a PDF',
    heapMegabytes: megabytes,
    milliseconds,
    megabytes,
    refusals: {
      time: tooMuch(`The PDF takes longer than ${milliseconds / 1000} seconds to read`),
      memory: tooMuch(`The PDF takes more than ${megabytes} MB of memory to read`),
      stopped: () => new AppError('cancelled', 'Reading the PDF was stopped'),
      failed: (cause) =>
        cause instanceof ThreadFailedError
          ? new Error('Reading a PDF failed', { cause })
          : lost(cause),
    },
  };
};

/**
 * A thread that keeps compiled forms and runs one call after the other; if it is lost, a new one is
 * started.
 */
export class ReusedThread {
  readonly #how: ReturnType<typeof pdfThread>;
  readonly #turns = new Serial();
  #thread: Thread<PdfTasks> | null = null;
  #losses = 0;

  constructor(how: ReturnType<typeof pdfThread>) {
    this.#how = how;
  }

  /** Number of threads that were lost, with all forms that they kept. */
  get losses(): number {
    return this.#losses;
  }

  call<Name extends keyof PdfTasks>(
    name: Name,
    asked: CallArguments<PdfTasks[Name]>,
  ): Promise<CallResult<PdfTasks[Name]>> {
    return this.#turns.run(async () => {
      const thread = (this.#thread ??= new Thread<PdfTasks>(this.#how));
      try {
        return await thread.call(name, asked, this.#how);
      } catch (error) {
        if (error instanceof ThreadLostError) this.#lose();
        throw toThreadError(error, this.#how.refusals);
      }
    });
  }

  async close(): Promise<void> {
    await this.#turns.ended();
    const thread = this.#thread;
    if (thread === null) return;
    this.#lose();
    await thread.stop();
  }

  #lose(): void {
    this.#thread = null;
    this.#losses += 1;
  }
}
