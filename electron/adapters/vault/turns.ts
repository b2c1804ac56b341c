import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { createWriterLock } from '../sqlite/open/lock.ts';

/** Delay between two attempts (ms); a write takes about as long. */
const PAUSE_MS = 5;

export type InTurn = <Result>(change: () => Promise<Result>) => Promise<Result>;

/**
 * Runs changes one at a time, across all processes that use the same `file`. The system releases
 * the lock when a process ends for any reason. Throws 'data-in-use' if another process holds the
 * lock for longer than `patienceMs`.
 */
export function createTurns(file: string, patienceMs: number): InTurn {
  const lock = createWriterLock(file);
  const turns = new Serial();
  return (change) => turns.run(() => changeAlone(lock, patienceMs, change));
}

async function changeAlone<Result>(
  lock: ReturnType<typeof createWriterLock>,
  patienceMs: number,
  change: () => Promise<Result>,
): Promise<Result> {
  // Monotonic: the wall clock may be changed.
  const end = performance.now() + patienceMs;
  while (!lock.take()) {
    if (performance.now() > end) throw inUse();
    await pause(PAUSE_MS);
  }
  try {
    return await change();
  } finally {
    lock.free();
  }
}

function inUse(): AppError {
  return new AppError(
    'storage',
    'Another program keeps changing the stored passwords and keys. Close that program and try again',
    { reason: 'data-in-use' },
  );
}
