import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds for which nothing else had its turn while `work` went on, at most. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  try {
    await work();
  } finally {
    delay.disable();
  }
  return delay.max / 1e6;
}
