import { AppError } from '../../../shared/errors.ts';
import type { CallResult, CallArguments } from '../threads/calls.ts';
import { Thread, ThreadFailedError } from '../threads/connect.ts';
import { threadFile } from '../threads/file.ts';
import { handOver } from '../threads/hand-over.ts';
import { type ThreadErrors, toThreadError } from '../threads/once.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { NamelessPart, Part, Parts } from './part.ts';
import type { PartCalls } from './part-worker.ts';

const WORKER = threadFile(import.meta.url, './part-worker.ts', 'part-worker');

/** Maximum number of threads: hashing needs more CPU than downloading. */
const MAX_THREADS = 2;

const savingInterruptedError = (cause: Error): AppError =>
  new AppError('storage', 'Saving was interrupted: a part of the program ended. Try again', {
    cause,
  });

const partThreadErrors: ThreadErrors = {
  stopped: savingInterruptedError,
  time: savingInterruptedError,
  memory: savingInterruptedError,
  failed: (cause) =>
    cause instanceof ThreadFailedError
      ? new Error('Saving a file failed', { cause })
      : savingInterruptedError(cause),
};

/** Threads that write parts, started on demand. */
export interface PartThreads extends Parts {
  /** Stops the threads. Parts in flight fail; the next run finds and removes them. */
  close(): Promise<void>;
}

export function createPartThreads(): PartThreads {
  const threads: PartThread[] = [];
  /** Returns the least busy thread; starts another if all are busy. */
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

  /** Number of open parts plus unanswered calls. */
  get load(): number {
    return this.#parts + (this.#thread?.waiting ?? 0);
  }

  open(path: string): Part {
    this.#parts += 1;
    let isOpen = true;
    // All calls of a part use the same thread: another thread would write only the rest of the
    // file.
    const thread = this.#begun();
    const end = (): void => {
      if (isOpen) this.#parts -= 1;
      isOpen = false;
    };
    return {
      write: async (buffer, length) =>
        Buffer.from(
          (await callPartThread(thread, 'write', [path, handOver(buffer, buffer.buffer), length]))
            .buffer,
        ),
      finish: async (pdf) => {
        const flushed = await callPartThread(thread, 'finish', [path, pdf]);
        end();
        return flushed;
      },
      drop: async () => {
        end();
        // If the thread has ended, the part is not removed now, because another process may already
        // use its name; the next run removes it.
        if (this.#thread === thread) await callPartThread(thread, 'drop', [path]);
      },
    };
  }

  name(parts: readonly NamelessPart[]): Promise<readonly NamedFile[]> {
    return callPartThread(this.#begun(), 'name', [parts]);
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

async function callPartThread<Name extends keyof PartCalls>(
  thread: Thread<PartCalls>,
  name: Name,
  asked: CallArguments<PartCalls[Name]>,
): Promise<CallResult<PartCalls[Name]>> {
  try {
    return await thread.call(name, asked);
  } catch (error) {
    throw toThreadError(error, partThreadErrors);
  }
}
