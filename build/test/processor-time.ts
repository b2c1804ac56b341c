import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';

/** Clock ticks per second in `/proc`, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor seconds of this process and of its ended child processes. The child
 * processes are included only on Linux: Node does not report their time, and other systems have no
 * `/proc`.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childSeconds();
}

function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program's name is in brackets and may contain spaces, so the fields are counted from the
  // closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[13], fields[14]];
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

/** Processor seconds of `sampleWork` on the idle computer on which the limits were measured. */
const REFERENCE_SECONDS = 0.2;
/** Milliseconds between two samples. */
const SAMPLE_INTERVAL_MS = 30_000;

/**
 * Samples how fast this computer is while the tests run: a slow computer, or one whose cores share
 * resources, takes more processor time for the same work. The returned function ends the sampling
 * and returns how many times slower this computer is than the reference (median); 1 if it is
 * faster.
 */
export function watchSlowness(): () => number {
  const samples = [sampleSlowness()];
  const timer = setInterval(() => samples.push(sampleSlowness()), SAMPLE_INTERVAL_MS);
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

/** Does work like that of tests: hashes, builds and parses texts. */
function sampleWork(): void {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `row ${at}`, isOld: true }));
  for (let round = 0; round < 10; round += 1) {
    const text = JSON.stringify(rows);
    createHash('sha256').update(text).digest('hex');
    JSON.parse(text);
  }
}
