/** A file that unpacks without end grows by gigabytes in a second. */
const LOOK_EVERY = 50;
const MEGABYTE = 1024 * 1024;

/** Calls `over` once the program has grown by so much from now on. The returned function ends it. */
export function limitGrowth(megabytes: number, over: () => void): () => void {
  const most = process.memoryUsage.rss() + megabytes * MEGABYTE;
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() > most) over();
  }, LOOK_EVERY);
  return () => clearInterval(looking);
}
