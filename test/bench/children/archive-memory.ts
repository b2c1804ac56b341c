import { archive } from '../archive-runs.ts';

/* One archive run in a process of its own; says how much memory it held at most, in MB. */

/** Often enough to see a file of five megabytes, were it held whole. */
const LOOK_MS = 2;

const [origin = '', files = '0', parallel = '8'] = process.argv.slice(2);
let most = 0;
const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), LOOK_MS);
await archive(origin, { files: Number(files), bytes: 0 }, Number(parallel));
clearInterval(looking);
process.stdout.write(String(most / 1024 / 1024));
