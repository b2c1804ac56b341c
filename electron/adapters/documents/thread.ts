import { threadFile } from '../threads/file.ts';
import { OneCallThreads } from '../threads/once.ts';
import { MAX_THREAD_MEGABYTES, MAX_THREAD_MS } from './limits.ts';
import { DAMAGED_MESSAGE, documentError } from './refuse.ts';
import type { DocumentTasks } from './worker.ts';

/** Each file gets its own thread. */
export const documentThreads = new OneCallThreads<DocumentTasks>({
  file: threadFile(import.meta.url, './worker.ts', 'document-worker'),
  work: 'Reading a document',
  milliseconds: MAX_THREAD_MS,
  heapMegabytes: MAX_THREAD_MEGABYTES,
  refusals: {
    time: () => documentError('document-limit', 'The file takes too long to read'),
    memory: (cause) =>
      documentError('document-limit', 'The file takes too much memory to read', cause),
    stopped: () =>
      documentError('document-limit', 'The file needs more time or memory to read than is allowed'),
    failed: (cause) => documentError('document-damaged', DAMAGED_MESSAGE, cause),
  },
});
