import { AppError } from '../../../shared/errors.ts';
import type { Answered, Asked } from '../threads/calls.ts';
import { Thread, ThreadFailed } from '../threads/connect.ts';
import { threadFile } from '../threads/file.ts';
import { handOver } from '../threads/hand-over.ts';
import { type Refusals, refused } from '../threads/once.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { NamelessPart, Part, Parts } from './part.ts';
import type { PartCalls } from './part-worker.ts';

const WORKER = threadFile(import.meta.url, './part-worker.ts', 'part-worker');

/** Hashing takes more of a processor than fetching does. */
const MAX_THREADS = 2;

const ended = (cause: Error): AppError =>
  new AppError('storage', 'The thread that saves files has ended', { cause });

const refusals: Refusals = {
  stopped: ended,
  time: ended,
  memory: ended,
  failed: (cause) =>
    cause instanceof ThreadFailed ? new Error('Saving a file failed', { cause }) : ended(cause),
};

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
    if (least !== undefined && (least.load === 0 || threads.length >= MAX_THREADS)) return least;
    const begun = new PartThread();
    threads.push(begun);
    return begun;
  };
  return {
    open: async (part) => thread().open(part),
    name: (parts) => thread().name(parts),
    async close() {
      await Promise.all(threads.splice(0).map((one) => one.stop()));
    },
  };
}

class PartThread {
  #thread: Thread<PartCalls> | null = null;
  #parts = 0;

  /** Parts under way, and what else is waited for. */
  get load(): number {
    return this.#parts + (this.#thread?.waiting ?? 0);
  }

  open(path: string): Part {
    this.#parts += 1;
    let isOpen = true;
    // Another thread knows nothing of what came before: it would write the rest alone.
    const thread = this.#begun();
    const end = (): void => {
      if (isOpen) this.#parts -= 1;
      isOpen = false;
    };
    return {
      write: async (buffer, length) =>
        Buffer.from(
          (await ask(thread, 'write', [path, handOver(buffer, buffer.buffer), length])).buffer,
        ),
      finish: async (pdf) => {
        const flushed = await ask(thread, 'finish', [path, pdf]);
        end();
        return flushed;
      },
      drop: async () => {
        end();
        // What a thread that is gone wrote of it is found by the next run: by its name it may be another process's.
        if (this.#thread === thread) await ask(thread, 'drop', [path]);
      },
    };
  }

  name(parts: readonly NamelessPart[]): Promise<readonly NamedFile[]> {
    return ask(this.#begun(), 'name', [parts]);
  }

  async stop(): Promise<void> {
    await this.#thread?.stop();
  }

  #begun(): Thread<PartCalls> {
    if (this.#thread !== null) return this.#thread;
    const begun = new Thread<PartCalls>({
      file: WORKER,
      work: 'Saving files',
      onEnd: () => {
        if (this.#thread === begun) this.#thread = null;
      },
    });
    this.#thread = begun;
    return begun;
  }
}

async function ask<Name extends keyof PartCalls>(
  thread: Thread<PartCalls>,
  name: Name,
  asked: Asked<PartCalls[Name]>,
): Promise<Answered<PartCalls[Name]>> {
  try {
    return await thread.call(name, asked);
  } catch (error) {
    throw refused(error, refusals);
  }
}
