import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Longest time in milliseconds in which `work` blocked everything else. */
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
