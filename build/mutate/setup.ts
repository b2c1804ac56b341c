import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/*
 * Runs before each test file when the bodies that it reaches are recorded: see `noting`. Test files
 * share the globals of their process, so the set is emptied for each file.
 */
const reachOutputPath = process.env['MUTATE_REACH'];
const reachedBodyNames = (): Set<unknown> => {
  const noted: unknown = Reflect.get(globalThis, 'reachedBodies');
  return noted instanceof Set ? noted : new Set();
};
reachedBodyNames().clear();

if (reachOutputPath !== undefined) {
  afterAll(() => {
    const test = expect.getState().testPath;
    appendFileSync(
      reachOutputPath,
      `${JSON.stringify({ test, bodies: [...reachedBodyNames()] })}\n`,
    );
  });
}
