import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import { END, type FromThread, READY } from './messages.ts';

/** Rejects what was asked of a thread that ended without an answer. */
export class ThreadLost extends Error {}

interface Begin {
  /** The thread's own file, which calls `serveThread`. */
  readonly file: URL;
  /** Goes from memory to memory, and nowhere else. */
  readonly workerData: unknown;
  /** What it does, for an error: `reads lists`. */
  readonly does: string;
  /** It has ended: told to, by an error, or by itself. */
  readonly onEnd: () => void;
}

/**
 * Begins a thread and calls its functions. Calls are answered in the order in which the thread is done
 * with them. What it throws on purpose keeps its words; other errors keep their stack as a cause. The
 * program does not stay alive for a thread of which nothing is asked.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #rpc;
  #waiting = 0;
  #isClosing = false;
  #isOpen = false;
  #lost: ThreadLost | null = null;

  constructor({ file, workerData, does, onEnd }: Begin) {
    // Nothing of the program's arguments or variables is the thread's business.
    const worker = new Worker(file, { workerData, env: {}, argv: [] });
    this.#worker = worker;
    worker.unref();
    const hear = (message: FromThread, answer: (message: unknown) => void): void => {
      if (message === READY) this.#isOpen = true;
      else answer('thrown' in message ? { ...message, e: errorOf(message.thrown) } : message);
    };
    this.#rpc = createBirpc<Record<string, (...asked: unknown[]) => unknown>, object, false>(
      {},
      {
        post: (message) => worker.postMessage(message),
        // Nothing is given back: birpc would wait for it, and the first call leave after a later one.
        on(listener) {
          worker.on('message', (message: FromThread) => hear(message, listener));
        },
        timeout: -1,
        proxify: false,
      },
    );
    let why: unknown;
    worker.on('error', (error) => void (why = error));
    worker.on('exit', () => {
      this.#lost = new ThreadLost(`The thread that ${does} was lost`, { cause: why });
      onEnd();
      this.#rpc.$close(this.#lost);
    });
  }

  /** Whether it has begun to serve, also where it has ended since. */
  get hasServed(): boolean {
    return this.#isOpen;
  }

  /** Whether it has begun to serve, and still does. */
  get isReady(): boolean {
    return this.#isOpen && this.#lost === null;
  }

  /** Whether nothing is asked of it. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  async call(name: string, asked: readonly unknown[]): Promise<unknown> {
    if (this.#lost !== null) throw this.#lost;
    this.#waiting += 1;
    this.#worker.ref();
    try {
      return await this.#rpc.$call(name, ...asked);
    } finally {
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
}

function errorOf({ failure, stack }: Extract<FromThread, { thrown: unknown }>['thrown']): Error {
  return failure === null ? new Error('A thread failed', { cause: stack }) : AppError.from(failure);
}
