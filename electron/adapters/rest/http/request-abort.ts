import type { AppError } from '../../../../shared/errors.ts';
import type { Clock } from '../../../core/ports.ts';
import { cancelled, networkFailure } from './failures.ts';

/** When an exchange is over, whatever it is doing: by the caller's wish, or by time. */
export interface RequestAbort {
  /** The caller's wish alone. */
  readonly caller: AbortSignal;
  readonly signal: AbortSignal;
  /** Gives up on a promise at once; undici notices an end only when it is connected. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  explain(route: string, error: unknown): AppError;
}

export function endAfter(milliseconds: number, caller: AbortSignal): RequestAbort {
  const time = AbortSignal.timeout(milliseconds);
  const signal = AbortSignal.any([caller, time]);
  return {
    caller,
    signal,
    race: (promise) => race(promise, signal),
    explain: (route, error) => {
      if (caller.aborted) return cancelled(route);
      return networkFailure(route, time.aborted ? time.reason : error, 'request');
    },
  };
}

/** Waits on the program's clock, not longer than the exchange lasts. */
export async function pause(
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

async function race<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
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
