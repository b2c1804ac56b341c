import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import type { CallResult, AnyFunctions, CallArguments } from './calls.ts';
import { handedOverIn, type Message } from './hand-over.ts';
import { limitGrowth } from './limit-growth.ts';
import { limitTime } from './limit-time.ts';
import { END_MESSAGE, type FromThread, READY_MESSAGE, type ReportProgress } from './messages.ts';

/** Why a thread ended: it was stopped, a call exceeded its time or memory, or it failed. */
export type ThreadLossReason = 'stopped' | 'time' | 'memory' | 'failed';

/**
 * Error of calls that the thread did not answer before it ended, and of calls made while it is
 * ending.
 */
export class ThreadLostError extends Error {
  readonly why: ThreadLossReason;

  constructor(work: string, why: ThreadLossReason, cause: unknown) {
    super(`${work}: the thread was lost`, { cause });
    this.why = why;
  }
}

/** Unexpected error in a thread; the cause contains the stack in that thread. */
export class ThreadFailedError extends Error {}

export interface ThreadOptions {
  /** See `threadFile`. */
  readonly file: URL;
  /** Passed in memory only. */
  readonly workerData?: unknown;
  /** Name of the work in errors: `Reading lists`. */
  readonly work: string;
  readonly heapMegabytes?: number;
  /** Receives progress; see `serveThread`. */
  readonly onProgress?: ReportProgress;
  readonly onEnd?: () => void;
}

/** Limits of a call; the thread ends when a call exceeds one. */
export interface CallLimits {
  /** Maximum CPU time (ms). */
  readonly milliseconds?: number | undefined;
  /** Maximum growth of the process: buffers are outside the thread's heap. */
  readonly megabytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a thread and calls its functions. Calls are answered in the order of completion. An
 * `AppError` of the thread is passed on; other errors keep their stack as the cause. An idle thread
 * does not keep the process alive.
 */
export class Thread<Functions extends object = AnyFunctions> {
  readonly #worker: Worker;
  readonly #work: string;
  readonly #rpc;
  /** Resolves when the thread serves or has ended. */
  readonly #begun: Promise<void>;
  #waiting = 0;
  #isClosing = false;
  #isOpen = false;
  #why: ThreadLossReason | null = null;
  #stopping: Promise<void> | null = null;
  #lost: ThreadLostError | null = null;

  constructor({ file, workerData, work, heapMegabytes, onProgress, onEnd }: ThreadOptions) {
    const worker = new Worker(file, {
      workerData,
      // The thread receives no arguments or environment variables of the program.
      env: {},
      argv: [],
      execArgv: [],
      // The thread does not print: stdout belongs to the command.
      stdout: true,
      stderr: true,
      ...(heapMegabytes !== undefined && {
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      }),
    });
    this.#worker = worker;
    this.#work = work;
    worker.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begun = promise;
    const hear = (message: FromThread, answer: (message: unknown) => void): void => {
      if (message === READY_MESSAGE) {
        this.#isOpen = true;
        resolve();
      } else if (this.#why !== null) {
        // The caller that stopped the thread expects no answer.
      } else if ('progress' in message) onProgress?.(...message.progress);
      else answer('thrown' in message ? { ...message, e: errorOf(message.thrown) } : message);
    };
    this.#rpc = createBirpc<Record<string, (...asked: unknown[]) => unknown>, object, false>(
      {},
      {
        post: (message: Message) => worker.postMessage(message, handedOverIn(message)),
        // The function returns nothing: birpc would await a result, and send the first call after a
        // later one.
        on(listener) {
          worker.on('message', (message: FromThread) => hear(message, listener));
        },
        timeout: -1,
        proxify: false,
      },
    );
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
      this.#why ??= isOutOfMemory(error) ? 'memory' : 'failed';
    });
    worker.on('exit', () => {
      this.#lost = new ThreadLostError(work, this.#why ?? 'failed', cause);
      resolve();
      onEnd?.();
      this.#rpc.$close(this.#lost);
    });
  }

  /** Whether the thread was ever ready to answer calls, even if it has ended by now. */
  get hasServed(): boolean {
    return this.#isOpen;
  }

  /** Whether the thread is ready to answer calls now. */
  get isReady(): boolean {
    return this.#isOpen && this.#lost === null && !this.#isClosing;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** @throws ThreadLost, ThreadFailed, and any `AppError` of the function */
  async call<Name extends keyof Functions & string>(
    name: Name,
    asked: CallArguments<Functions[Name]>,
    limits: CallLimits = {},
  ): Promise<CallResult<Functions[Name]>> {
    if (this.#lost !== null) throw this.#lost;
    // The thread might still run the call, but its answer would be lost: the caller would believe
    // that the call was not run.
    if (this.#isClosing) throw new ThreadLostError(this.#work, 'stopped', null);
    this.#waiting += 1;
    this.#worker.ref();
    const endLimits = this.#limit(limits);
    try {
      return (await this.#rpc.$call(name, ...asked)) as CallResult<Functions[Name]>;
    } finally {
      endLimits();
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isClosing) this.#worker.unref();
    }
  }

  /** Waits for the calls in flight; resolves when the thread has ended. */
  async close(): Promise<void> {
    if (this.#lost !== null) return;
    this.#isClosing = true;
    this.#worker.ref();
    this.#worker.postMessage(END_MESSAGE);
    // The event `exit` is emitted even if the thread fails at this moment.
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }

  /**
   * Terminates the thread; resolves when it has ended. Waits until the thread serves: terminating
   * it while SQLite's addon is being loaded crashes the whole process (Node-API, "Error::New
   * napi_get_last_error_info").
   */
  async stop(why: ThreadLossReason = 'stopped'): Promise<void> {
    this.#why ??= why;
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  async #stop(): Promise<void> {
    if (this.#lost !== null) return;
    this.#isClosing = true;
    this.#worker.ref();
    await this.#begun;
    await this.#worker.terminate();
  }

  #limit({ milliseconds, megabytes, signal }: CallLimits): () => void {
    const over = (why: ThreadLossReason) => (): void => void this.stop(why);
    const stop = over('stopped');
    const ends: (() => void)[] = [];
    if (milliseconds !== undefined) {
      ends.push(limitTime(this.#worker, milliseconds, over('time')));
    }
    if (megabytes !== undefined) ends.push(limitGrowth(megabytes, over('memory')));
    signal?.addEventListener('abort', stop);
    ends.push(() => signal?.removeEventListener('abort', stop));
    return () => {
      for (const end of ends) end();
    };
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function errorOf({ failure, stack }: Extract<FromThread, { thrown: unknown }>['thrown']): Error {
  return failure === null
    ? new ThreadFailedError('A thread failed', { cause: stack })
    : AppError.from(failure);
}
