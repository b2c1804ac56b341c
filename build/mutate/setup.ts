import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/*
 * Before each file of tests, when it is asked which bodies the file reaches: see `noting`. Files
 * share the globals of their process, so that the set is emptied for each.
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
