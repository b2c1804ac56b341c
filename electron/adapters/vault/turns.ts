import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { createWriterLock } from '../sqlite/open/lock.ts';

/** Milliseconds between two tries; a write takes about as long. */
const PAUSE_MS = 5;

export type InTurn = <Result>(change: () => Promise<Result>) => Promise<Result>;

/**
 * Makes changes one after the other, in this process and in every other one that names the same
 * `file`. The system frees the lock of a process that ended, however it did. Throws 'data-in-use'
 * when another process holds it for longer than `patienceMs`.
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
  // Not by the clock on the wall, which may be set meanwhile.
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
    'Another process keeps writing to the sealed vault. Close it and try again',
    { reason: 'data-in-use' },
  );
}
