import type { Answered, Asked } from './calls.ts';
import {
  type Begin,
  type CallLimits,
  Thread,
  ThreadFailed,
  ThreadLost,
  type WhyLost,
} from './connect.ts';
import type { ReportProgress } from './messages.ts';

/** What a call is refused with whose thread was lost, or failed. */
export type Refusals = Readonly<Record<WhyLost, (cause: Error) => Error>>;

interface OneCall extends Omit<Begin, 'onProgress' | 'onEnd'>, Omit<CallLimits, 'signal'> {
  readonly refusals: Refusals;
}

interface Asking {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ReportProgress;
}

/** A thread for each call, which ends with it: what a file does to its memory or time ends there. */
export class OneCallThreads<Functions extends object> {
  readonly #how: OneCall;
  readonly #running = new Set<Thread<Functions>>();

  constructor(how: OneCall) {
    this.#how = how;
  }

  /** @throws one of the refusals, and what the function throws on purpose */
  async call<Name extends keyof Functions & string>(
    name: Name,
    asked: Asked<Functions[Name]>,
    { signal, onProgress = () => {} }: Asking = {},
  ): Promise<Answered<Functions[Name]>> {
    const { refusals, milliseconds, megabytes, ...begin } = this.#how;
    if (signal?.aborted === true) throw refusals.stopped(new Error('It was not begun'));
    const thread = new Thread<Functions>({ ...begin, onProgress });
    this.#running.add(thread);
    try {
      return await thread.call(name, asked, { milliseconds, megabytes, signal });
    } catch (error) {
      throw refused(error, refusals);
    } finally {
      this.#running.delete(thread);
      await thread.stop();
    }
  }

  /** Stops those that are at work. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((thread) => thread.stop()));
  }
}

/** What the thread threw on purpose stays as it is. */
export function refused(error: unknown, refusals: Refusals): unknown {
  if (error instanceof ThreadLost) return refusals[error.why](error);
  return error instanceof ThreadFailed ? refusals.failed(error) : error;
}
