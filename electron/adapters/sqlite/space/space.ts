import type { DataSpace } from '../../../core/privacy/ports.ts';
import { threadFile } from '../../threads/file.ts';
import { dataThreads } from '../database/data-threads.ts';
import type { OpenDatabase } from '../open/open.ts';
import type { SpaceTasks } from './worker.ts';

const WORKER = threadFile(import.meta.url, './worker.ts', 'space-worker');
const measuring = dataThreads<SpaceTasks>(WORKER, 'Measuring the data file');
const compacting = dataThreads<SpaceTasks>(WORKER, 'Compacting');

export function spaceOf({ file, key }: Pick<OpenDatabase, 'file' | 'key'>): DataSpace {
  const data = { file, key: new Uint8Array(key) };
  return {
    measure: () => measuring.call('measure', [data]),
    compactInSteps: (onProgress, signal) =>
      compacting.call('compactInSteps', [data], { onProgress, signal }),
    compactWhole: () => compacting.call('compactWhole', [data]),
  };
}
