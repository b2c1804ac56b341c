import { archive } from '../archive-runs.ts';

/* Runs the archive once in its own process, and prints the maximum memory of the process in MB. */

/** Interval of measurements (ms), short enough to notice a file of five megabytes in memory. */
const LOOK_MS = 2;

const [origin = '', files = '0', parallel = '8'] = process.argv.slice(2);
let most = 0;
const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), LOOK_MS);
await archive(origin, { files: Number(files), bytes: 0 }, Number(parallel));
clearInterval(looking);
process.stdout.write(String(most / 1024 / 1024));
