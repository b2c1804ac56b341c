import { availableParallelism } from 'node:os';
import { type Gate, gates, prepareGates } from './gates.ts';
import { isGatePassed, keep, type FileHashes, gateInputHash, computeFileHashes } from './kept.ts';
import { root } from '../places.ts';
import { selfTest } from './self-test.ts';

/**
 * Gates to run. The self-test plants its mistakes in a tree of its own, and reads only the settings
 * of the messages from this repository.
 */
const gatesToRun: readonly Gate[] = [
  ...gates,
  { name: 'self-test', reads: ['renderer/messages/project.inlang/'], check: () => selfTest() },
];

/**
 * Number of gates that run at the same time: more than two tools need more memory than a small
 * build machine has.
 */
const PARALLEL_GATES = Math.min(2, availableParallelism());

/**
 * Runs every gate whose files changed since it last passed, prints a line for each, and returns
 * whether all gates passed.
 */
export async function checkAll(): Promise<boolean> {
  await prepareGates(root);
  const prints = await computeFileHashes(root);
  const waiting = [...gatesToRun];
  const content: Gate[] = [];
  const runLane = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      if (await runAndReportGate(gate, prints)) content.push(gate);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_GATES }, runLane));
  await saveGateResults(content, prints);
  return content.length === gatesToRun.length;
}

async function runAndReportGate(gate: Gate, prints: FileHashes): Promise<boolean> {
  if (await isGatePassed(root, gate.name, gateInputHash(prints, gate.reads))) {
    console.log(`${gate.name.padEnd(18)}         ok, nothing changed`);
    return true;
  }
  const start = performance.now();
  const problem = await gate.check(root);
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`${gate.name.padEnd(18)}${seconds} s  ${problem === undefined ? 'ok' : 'failed'}`);
  if (problem !== undefined) console.log(problem.trimEnd());
  return problem === undefined;
}

/**
 * Saves the results of passed gates, except for gates whose files changed during the run: it is
 * unknown which version they read.
 */
async function saveGateResults(content: readonly Gate[], before: FileHashes): Promise<void> {
  const after = await computeFileHashes(root);
  for (const { name, reads } of content) {
    const print = gateInputHash(before, reads);
    if (print === gateInputHash(after, reads)) await keep(root, name, print);
  }
}
