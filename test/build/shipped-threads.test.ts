import { expect, it } from 'vitest';
import { threadFile } from '../../electron/adapters/threads/file.ts';

it('tests start the program’s threads from the bundle, in a third of the time', () => {
  const file = threadFile(import.meta.url, './worker.ts', 'pdf-worker');
  expect(file.pathname).toMatch(/\/dist\/electron\/pdf-worker\.mjs$/);
});
