import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/*
 * Runs before each test file when the bodies that it reaches are recorded: see `noting`. Files
 * share the globals of their process, so the set is emptied for each.
 */
const place = process.env['MUTATE_REACH'];
const reached = (): Set<unknown> => {
  const noted: unknown = Reflect.get(globalThis, 'reachedBodies');
  return noted instanceof Set ? noted : new Set();
};
reached().clear();

if (place !== undefined) {
  afterAll(() => {
    const test = expect.getState().testPath;
    appendFileSync(place, `${JSON.stringify({ test, bodies: [...reached()] })}\n`);
  });
}
