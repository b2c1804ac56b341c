import type { Worker } from 'node:worker_threads';

const CPU_POLL_MS = 200;
/**
 * Maximum elapsed time as a multiple of the allowed CPU time: a thread that waits longer for the
 * CPU is ended, even if other programs use the CPU.
 */
const MAX_CLOCK_FACTOR = 20;

/**
 * Calls `over` when the thread has used `milliseconds` of CPU time from now on, or when 20 times as
 * long has passed by the clock: on a busy computer, elapsed time says little about the work. The
 * returned function ends the check.
 */
export function limitTime(
  worker: Pick<Worker, 'cpuUsage'>,
  milliseconds: number,
  over: () => void,
): () => void {
  const before = cpuOf(worker);
  const look = async (): Promise<void> => {
    const now = await cpuOf(worker);
    // A thread that had not started had used no CPU time.
    const start = (await before) ?? 0;
    if (now !== null && now - start > milliseconds) over();
  };
  const looking = setInterval(() => void look(), Math.min(CPU_POLL_MS, milliseconds));
  const late = setTimeout(over, milliseconds * MAX_CLOCK_FACTOR);
  return () => {
    clearInterval(looking);
    clearTimeout(late);
  };
}

/** Returns the CPU time in milliseconds; null before the thread runs and after it has ended. */
async function cpuOf(worker: Pick<Worker, 'cpuUsage'>): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return null;
  }
}
