import { afterAll } from 'vitest';
import { processorSeconds } from './processor-time.ts';

/*
 * Vitest runs this before each test file, in a worker that runs nothing else at that time. The hook
 * is registered first, so it runs last, after everything that the test file started has ended.
 */
const secondsBefore = processorSeconds();
// Vitest reads the names of the fixtures from the text of the first parameter, which is empty
// because the hook needs no fixture.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = processorSeconds() - secondsBefore;
});
