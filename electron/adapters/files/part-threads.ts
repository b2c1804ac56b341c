import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import type { Part, Parts } from './part.ts';
import { Flushed, Named, type PartReply, type PartTask, Written } from './part-messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './part-worker.ts' : './part-worker.mjs',
  import.meta.url,
);

/** Hashing takes more of a processor than fetching does. */
const MOST_THREADS = 2;

/** Threads that write parts; they begin when they are needed. */
export interface PartThreads extends Parts {
  /** Ends them; what is under way fails, and is found by the next run. */
  close(): Promise<void>;
}

export function createPartThreads(): PartThreads {
  const threads: PartThread[] = [];
  /** The one with the least to do; another one begins when every one has something to do. */
  const thread = (): PartThread => {
    const [least] = threads.toSorted((one, other) => one.load - other.load);
    if (least !== undefined && (least.load === 0 || threads.length >= MOST_THREADS)) return least;
    const begun = new PartThread();
    threads.push(begun);
    return begun;
  };
  return {
    open: async (part) => thread().open(part),
    name: async (files) => Named.parse(await thread().ask({ do: 'name', files })),
    async close() {
      await Promise.all(threads.splice(0).map((one) => one.end()));
    },
  };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class PartThread {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #parts = 0;

  /** Parts under way, and what else is waited for. */
  get load(): number {
    return this.#parts + this.#waiting.size;
  }

  open(part: string): Part {
    this.#parts += 1;
    let isOpen = true;
    const worker = (this.#worker ??= this.#begin());
    /** Another thread knows nothing of what came before: it would write the rest alone. */
    const refuseAnother = (): void => {
      if (this.#worker !== worker) throw ended();
    };
    const end = (): void => {
      if (isOpen) this.#parts -= 1;
      isOpen = false;
    };
    return {
      write: async (buffer, length) => {
        refuseAnother();
        const written = await this.ask({ do: 'write', part, buffer, length }, [buffer.buffer]);
        return Buffer.from(Written.parse(written).buffer);
      },
      finish: async (pdf) => {
        refuseAnother();
        const flushed = Flushed.parse(await this.ask({ do: 'finish', part, pdf }));
        end();
        return flushed;
      },
      drop: async () => {
        end();
        await this.ask({ do: 'drop', part });
      },
    };
  }

  ask(task: PartTask, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const worker = (this.#worker ??= this.#begin());
    const number = (this.#number += 1);
    this.#waiting.set(number, { resolve, reject });
    // A command must not end in the middle, and must end when nothing is left to do.
    if (this.#waiting.size === 1) worker.ref();
    worker.postMessage({ number, task }, [...moved]);
    return promise;
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #begin(): Worker {
    // Nothing of the program's arguments or variables is its business.
    const worker = new Worker(WORKER, { env: {}, argv: [], execArgv: [] });
    worker.unref();
    worker.on('message', (reply: PartReply) => this.#receive(worker, reply));
    let why: unknown;
    worker.on('error', (error) => void (why = error));
    // Whatever was asked since it failed is among what it leaves.
    worker.on('exit', () => this.#lose(why));
    return worker;
  }

  #receive(worker: Worker, reply: PartReply): void {
    const asked = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) worker.unref();
    if (reply.ok) asked?.resolve(reply.value);
    else if (reply.failure !== null) asked?.reject(AppError.from(reply.failure));
    else asked?.reject(new Error('Saving a file failed', { cause: reply.stack }));
  }

  /** What was under way fails; the next part begins another thread. */
  #lose(cause: unknown): void {
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(ended(cause));
  }
}

const ended = (cause?: unknown): AppError =>
  new AppError('storage', 'The thread that saves files has ended', { cause });
