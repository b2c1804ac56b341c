import { expect, it } from 'vitest';
import { threadFile } from '../../electron/adapters/threads/file.ts';

it('threads of the program start from the bundle in tests, which takes a third of the time', () => {
  const file = threadFile(import.meta.url, './worker.ts', 'pdf-worker');
  expect(file.pathname).toMatch(/\/dist\/electron\/pdf-worker\.mjs$/);
});
