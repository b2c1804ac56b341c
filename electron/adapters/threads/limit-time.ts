import type { Worker } from 'node:worker_threads';

const LOOK_EVERY = 200;
/** One that waits for the processor all that time is not worth waiting for, whoever takes it. */
const MAX_BY_CLOCK = 20;

/**
 * Calls `over` once the thread has used the processor for so many milliseconds from now on, and at
 * the latest after twenty times as long: on a busy computer the clock says little about the work.
 * The returned function ends it.
 */
export function limitTime(
  worker: Pick<Worker, 'cpuUsage'>,
  milliseconds: number,
  over: () => void,
): () => void {
  const before = cpuOf(worker);
  const look = async (): Promise<void> => {
    const now = await cpuOf(worker);
    // One that had not begun yet had used nothing.
    const start = (await before) ?? 0;
    if (now !== null && now - start > milliseconds) over();
  };
  const looking = setInterval(() => void look(), Math.min(LOOK_EVERY, milliseconds));
  const late = setTimeout(over, milliseconds * MAX_BY_CLOCK);
  return () => {
    clearInterval(looking);
    clearTimeout(late);
  };
}

/** In milliseconds; null before the thread runs, and once it has ended. */
async function cpuOf(worker: Pick<Worker, 'cpuUsage'>): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return null;
  }
}
