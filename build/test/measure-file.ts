import { afterAll } from 'vitest';
import { processorSeconds } from './processor-time.ts';

/*
 * Vitest runs this before each test file, in a worker that runs nothing else at that time.
 * Registered first, the hook runs last: everything that the file started has ended by then.
 */
const secondsBefore = processorSeconds();
// Vitest reads the names of the fixtures from the text of the first argument, and none is needed.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = processorSeconds() - secondsBefore;
});
