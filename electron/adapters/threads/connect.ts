import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import type { Answered, AnyFunctions, Asked } from './calls.ts';
import { handedOverIn, type Message } from './hand-over.ts';
import { limitGrowth } from './limit-growth.ts';
import { limitTime } from './limit-time.ts';
import { END, type FromThread, READY, type ReportProgress } from './messages.ts';

/** Why a thread has ended: it was stopped, a call took too long or too much, or it failed by itself. */
export type WhyLost = 'stopped' | 'time' | 'memory' | 'failed';

/** Rejects a call of a thread that ended without an answer, and each call made while it is being ended. */
export class ThreadLost extends Error {
  readonly why: WhyLost;

  constructor(work: string, why: WhyLost, cause: unknown) {
    super(`${work}: the thread was lost`, { cause });
    this.why = why;
  }
}

/** An error that nobody meant; its stack there is the cause. */
export class ThreadFailed extends Error {}

export interface Begin {
  /** See `threadFile`. */
  readonly file: URL;
  /** Goes from memory to memory, and nowhere else. */
  readonly workerData?: unknown;
  /** Its work, for an error: `Reading lists`. */
  readonly work: string;
  /** The most that its heap takes. */
  readonly heapMegabytes?: number;
  /** Called with how far it is: see `serveThread`. */
  readonly onProgress?: ReportProgress;
  /** Called once it has ended: by `close` or `stop`, by an error, or by itself. */
  readonly onEnd?: () => void;
}

/** The thread ends with a call that goes beyond one of these. */
export interface CallLimits {
  /** Of the processor. */
  readonly milliseconds?: number | undefined;
  /** By how much the program may grow meanwhile: buffers lie outside of the thread's heap. */
  readonly megabytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Begins a thread and calls its functions. Calls are answered in the order in which the thread is done
 * with them. What it throws on purpose keeps its words; other errors keep their stack as a cause. The
 * program does not stay alive for a thread of which nothing is asked.
 */
export class Thread<Functions extends object = AnyFunctions> {
  readonly #worker: Worker;
  readonly #work: string;
  readonly #rpc;
  /** Once it serves, or has ended. */
  readonly #begun: Promise<void>;
  #waiting = 0;
  #isClosing = false;
  #isOpen = false;
  #why: WhyLost | null = null;
  #stopping: Promise<void> | null = null;
  #lost: ThreadLost | null = null;

  constructor({ file, workerData, work, heapMegabytes, onProgress, onEnd }: Begin) {
    const worker = new Worker(file, {
      workerData,
      // Nothing of the program's arguments or variables is the thread's business.
      env: {},
      argv: [],
      execArgv: [],
      // Nor does it print: a command's output is its own.
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
      if (message === READY) {
        this.#isOpen = true;
        resolve();
      } else if (this.#why !== null) {
        // Whoever stopped it wants no answer any more.
      } else if ('progress' in message) onProgress?.(...message.progress);
      else answer('thrown' in message ? { ...message, e: errorOf(message.thrown) } : message);
    };
    this.#rpc = createBirpc<Record<string, (...asked: unknown[]) => unknown>, object, false>(
      {},
      {
        post: (message: Message) => worker.postMessage(message, handedOverIn(message)),
        // Nothing is given back: birpc would wait for it, and the first call leave after a later one.
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
      this.#lost = new ThreadLost(work, this.#why ?? 'failed', cause);
      resolve();
      onEnd?.();
      this.#rpc.$close(this.#lost);
    });
  }

  /** Whether it has begun to serve, also where it has ended since. */
  get hasServed(): boolean {
    return this.#isOpen;
  }

  /** Whether it has begun to serve, and still does. */
  get isReady(): boolean {
    return this.#isOpen && this.#lost === null && !this.#isClosing;
  }

  /** Calls that it has not answered yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** @throws ThreadLost, ThreadFailed, and what the function throws on purpose */
  async call<Name extends keyof Functions & string>(
    name: Name,
    asked: Asked<Functions[Name]>,
    limits: CallLimits = {},
  ): Promise<Answered<Functions[Name]>> {
    if (this.#lost !== null) throw this.#lost;
    // The thread might still do it, and its answer would be lost: the caller would take it for not done.
    if (this.#isClosing) throw new ThreadLost(this.#work, 'stopped', null);
    this.#waiting += 1;
    this.#worker.ref();
    const endLimits = this.#limit(limits);
    try {
      return (await this.#rpc.$call(name, ...asked)) as Answered<Functions[Name]>;
    } finally {
      endLimits();
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isClosing) this.#worker.unref();
    }
  }

  /** Lets it end what it was asked, and resolves once it is gone. */
  async close(): Promise<void> {
    if (this.#lost !== null) return;
    this.#isClosing = true;
    this.#worker.ref();
    this.#worker.postMessage(END);
    // Also where it fails at this very moment: closing goes on.
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }

  /**
   * Ends it wherever it is, and resolves once it is gone. A thread that is ended while SQLite's addon
   * is being loaded in it takes the whole process down (Node-API, "Error::New
   * napi_get_last_error_info"): it ends once it serves.
   */
  async stop(why: WhyLost = 'stopped'): Promise<void> {
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
    const over = (why: WhyLost) => (): void => void this.stop(why);
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
    ? new ThreadFailed('A thread failed', { cause: stack })
    : AppError.from(failure);
}
