import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { createWriterLock } from '../sqlite/open/lock.ts';

/** Delay between two attempts to take the lock (ms); a write takes about as long. */
const LOCK_RETRY_MS = 5;

export type RunInTurn = <Result>(change: () => Promise<Result>) => Promise<Result>;

/**
 * Runs changes one at a time, across all processes that use the same `file`. The system releases
 * the lock when a process ends for any reason. Throws 'data-in-use' if another process holds the
 * lock for longer than `patienceMs`.
 */
export function createTurns(file: string, patienceMs: number): RunInTurn {
  const lock = createWriterLock(file);
  const turns = new Serial();
  return (change) => turns.run(() => changeLocked(lock, patienceMs, change));
}

async function changeLocked<Result>(
  lock: ReturnType<typeof createWriterLock>,
  patienceMs: number,
  change: () => Promise<Result>,
): Promise<Result> {
  // `performance.now` is monotonic; the wall clock may be changed.
  const end = performance.now() + patienceMs;
  while (!lock.take()) {
    if (performance.now() > end) throw vaultInUseError();
    await pause(LOCK_RETRY_MS);
  }
  try {
    return await change();
  } finally {
    lock.free();
  }
}

function vaultInUseError(): AppError {
  return new AppError(
    'storage',
    'Another program keeps changing the stored passwords and keys. Close that program and try again',
    { reason: 'data-in-use' },
  );
}
