import { availableParallelism } from 'node:os';
import { type Gate, gates, prepareGates } from './gates.ts';
import { root } from './places.ts';
import { selfTest } from './self-test.ts';

const all: readonly Gate[] = [...gates, { name: 'self-test', check: () => selfTest() }];

/** More than two tools at once need more memory than a small build machine has. */
const LANES = Math.min(2, availableParallelism());

/** Runs every gate, prints a line for each, and gives whether all of them are content. */
export async function checkAll(): Promise<boolean> {
  await prepareGates(root);
  const waiting = [...all];
  const results: boolean[] = [];
  const runLane = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      results.push(await report(gate));
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return results.every(Boolean);
}

async function report(gate: Gate): Promise<boolean> {
  const start = performance.now();
  const problem = await gate.check(root);
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`${gate.name.padEnd(18)}${seconds} s  ${problem === undefined ? 'ok' : 'failed'}`);
  if (problem !== undefined) console.log(problem.trimEnd());
  return problem === undefined;
}
