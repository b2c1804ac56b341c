import { AppError, isCode } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { Log } from './ports.ts';

/**
 * Creates the function that turns a thrown value into a `Failure`; no other code does this. An
 * unexpected error is logged with its stack, and the caller receives only the reference to the log
 * entry.
 */
export function createToFailure(log: Pick<Log, 'error'>): ToFailure {
  return (error, callName) => {
    if (error instanceof AppError) return error.failure;
    if (isAbort(error)) return { code: 'cancelled', message: 'Stopped' };
    return {
      code: 'unexpected',
      message: 'Something went wrong in the program itself',
      ref: log.error(error, callName),
    };
  };
}

/** Whether work ended because it was aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns the value that `read` returns, or null if it throws 'not-found'. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'not-found')) return null;
    throw error;
  }
}
