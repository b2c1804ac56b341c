import type { AppError } from '../../../../shared/errors.ts';
import type { Clock } from '../../../core/ports.ts';
import { cancelledRequestError, networkFailureError } from './failures.ts';

/** Ends an exchange when the caller aborts it, or after a timeout. */
export interface RequestAbort {
  /** Signal that only the caller aborts, not the timeout. */
  readonly caller: AbortSignal;
  readonly signal: AbortSignal;
  /**
   * Rejects immediately on an abort; undici reacts to an abort only after the connection is open.
   */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  explain(route: string, error: unknown): AppError;
}

export function abortAfter(milliseconds: number, caller: AbortSignal): RequestAbort {
  const time = AbortSignal.timeout(milliseconds);
  const signal = AbortSignal.any([caller, time]);
  return {
    caller,
    signal,
    race: (promise) => raceWithAbort(promise, signal),
    explain: (route, error) => {
      if (caller.aborted) return cancelledRequestError(route);
      return networkFailureError(route, time.aborted ? time.reason : error, 'request');
    },
  };
}

/** Waits by the program's clock, but not longer than the exchange lasts. */
export async function waitUnlessAborted(
  clock: Clock,
  milliseconds: number,
  ending: RequestAbort,
): Promise<void> {
  let callOff = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    callOff = clock.after(milliseconds, resolve);
  });
  await ending.race(waited).finally(() => {
    callOff();
  });
}

async function raceWithAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => {
    stopped.reject(new Error('The exchange is over'));
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
