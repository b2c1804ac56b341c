import type { RestorePlaces } from '../../../core/restore-ports.ts';
import { threadFile } from '../../threads/file.ts';
import { keyOf } from '../backup/copies.ts';
import { dataThreads } from '../database/data-threads.ts';
import type { RescueTasks } from './worker.ts';

const threads = dataThreads<RescueTasks>(
  threadFile(import.meta.url, './worker.ts', 'rescue-worker'),
  'Reading the damaged file',
);

export const salvageInThread: RestorePlaces['salvage'] = (
  { file, key, into, now },
  onPages,
  signal,
) =>
  threads.call('salvage', [{ file, key: keyOf({ file, key }), into, now }], {
    onProgress: onPages,
    signal,
  });
