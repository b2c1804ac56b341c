import { afterAll } from 'vitest';
import { processorSeconds } from './processor-time.ts';

/*
 * Vitest runs this before each file of tests, in the worker that has nothing else to do meanwhile.
 * Registered first, the hook runs last: what the file started has ended by then.
 */
const before = processorSeconds();
// Vitest reads the names of the fixtures from the text of the first argument, and none is needed.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = processorSeconds() - before;
});
