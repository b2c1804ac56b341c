import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';

/** Clock ticks per second in `/proc`, the same on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Processor seconds of this process and of its ended child processes (the latter only on Linux:
 * Node does not report them, and other systems have no `/proc`).
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childSeconds();
}

function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program's name is in brackets and may contain spaces; fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[13], fields[14]];
  return (Number(user) + Number(system)) / TICKS;
}

/** Processor seconds of `sampleWork` on the idle computer for which the limits are given. */
const REFERENCE_SECONDS = 0.2;
/** Milliseconds between two samples. */
const SAMPLE_PERIOD = 30_000;

/**
 * Samples how fast this computer is while the tests run: a slow one, and one whose cores share
 * their work, take more processor time for the same work. The returned function ends the sampling
 * and returns the median factor; 1 for a faster computer.
 */
export function watchSlowness(): () => number {
  const samples = [sampleSlowness()];
  const timer = setInterval(() => samples.push(sampleSlowness()), SAMPLE_PERIOD);
  return () => {
    clearInterval(timer);
    const median = samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 1;
    return Math.max(1, median);
  };
}

function sampleSlowness(): number {
  const before = process.cpuUsage();
  sampleWork();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000 / REFERENCE_SECONDS;
}

/** Work like that of tests: hashing, and building and parsing texts. */
function sampleWork(): void {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `row ${at}`, isOld: true }));
  for (let round = 0; round < 10; round += 1) {
    const text = JSON.stringify(rows);
    createHash('sha256').update(text).digest('hex');
    JSON.parse(text);
  }
}
