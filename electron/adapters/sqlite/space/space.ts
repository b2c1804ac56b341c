import type { DataSpace } from '../../../core/privacy/ports.ts';
import { threadFile } from '../../threads/file.ts';
import { dataThreads } from '../database/data-threads.ts';
import type { OpenDatabase } from '../open/open.ts';
import type { SpaceTasks } from './worker.ts';

const WORKER = threadFile(import.meta.url, './worker.ts', 'space-worker');
const measuringThreads = dataThreads<SpaceTasks>(WORKER, 'Measuring the data file');
const compactingThreads = dataThreads<SpaceTasks>(WORKER, 'Compacting');

export function spaceOf({ file, key }: Pick<OpenDatabase, 'file' | 'key'>): DataSpace {
  const data = { file, key: new Uint8Array(key) };
  return {
    measure: () => measuringThreads.call('measure', [data]),
    compactInSteps: (onProgress, signal) =>
      compactingThreads.call('compactInSteps', [data], { onProgress, signal }),
    compactWhole: () => compactingThreads.call('compactWhole', [data]),
  };
}
