/** Time between two checks (ms): a decompression bomb grows by gigabytes per second. */
const MEMORY_POLL_MS = 50;
const MEGABYTE = 1024 * 1024;

/** Calls `over` when the process has grown by `megabytes`. The returned function ends the check. */
export function limitGrowth(megabytes: number, over: () => void): () => void {
  const most = process.memoryUsage.rss() + megabytes * MEGABYTE;
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() > most) over();
  }, MEMORY_POLL_MS);
  return () => clearInterval(looking);
}
