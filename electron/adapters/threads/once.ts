import type { CallResult, CallArguments } from './calls.ts';
import {
  type ThreadOptions,
  type CallLimits,
  Thread,
  ThreadFailedError,
  ThreadLostError,
  type ThreadLossReason,
} from './connect.ts';
import type { ReportProgress } from './messages.ts';

/** Errors for calls whose thread was lost or failed. */
export type ThreadErrors = Readonly<Record<ThreadLossReason, (cause: Error) => Error>>;

interface OneCall extends Omit<ThreadOptions, 'onProgress' | 'onEnd'>, Omit<CallLimits, 'signal'> {
  readonly refusals: ThreadErrors;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ReportProgress;
}

/**
 * Starts a thread for each call and ends it afterwards, so that a file that needs too much memory
 * or time ends only its own thread.
 */
export class OneCallThreads<Functions extends object> {
  readonly #how: OneCall;
  readonly #running = new Set<Thread<Functions>>();

  constructor(how: OneCall) {
    this.#how = how;
  }

  /** @throws one of the refusals, or any `AppError` of the function */
  async call<Name extends keyof Functions & string>(
    name: Name,
    asked: CallArguments<Functions[Name]>,
    { signal, onProgress = () => {} }: CallOptions = {},
  ): Promise<CallResult<Functions[Name]>> {
    const { refusals, milliseconds, megabytes, ...begin } = this.#how;
    if (signal?.aborted === true) throw refusals.stopped(new Error('It was not begun'));
    const thread = new Thread<Functions>({ ...begin, onProgress });
    this.#running.add(thread);
    try {
      return await thread.call(name, asked, { milliseconds, megabytes, signal });
    } catch (error) {
      throw toThreadError(error, refusals);
    } finally {
      this.#running.delete(thread);
      await thread.stop();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((thread) => thread.stop()));
  }
}

/**
 * Converts the error of a lost or failed thread to the error for the caller; an `AppError` of the
 * thread stays unchanged.
 */
export function toThreadError(error: unknown, refusals: ThreadErrors): unknown {
  if (error instanceof ThreadLostError) return refusals[error.why](error);
  return error instanceof ThreadFailedError ? refusals.failed(error) : error;
}
