import { AppError, isCode } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { Log } from './ports.ts';

/**
 * The one place where what was thrown becomes data. An error nobody meant to throw is logged with
 * its stack, and only the reference to it leaves.
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

/** Whether work ended because it was told to stop. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** What a reading gives; null where it throws 'not-found'. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'not-found')) return null;
    throw error;
  }
}
