import { threadFile } from '../../threads/file.ts';

export const workerFile = threadFile(import.meta.url, './worker.ts', 'sheet-worker');
