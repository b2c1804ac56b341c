/** Milliseconds. A decompression bomb grows by gigabytes per second. */
const LOOK_EVERY = 50;
const MEGABYTE = 1024 * 1024;

/** Calls `over` when the process has grown by this much. The returned function ends the check. */
export function limitGrowth(megabytes: number, over: () => void): () => void {
  const most = process.memoryUsage.rss() + megabytes * MEGABYTE;
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() > most) over();
  }, LOOK_EVERY);
  return () => clearInterval(looking);
}
