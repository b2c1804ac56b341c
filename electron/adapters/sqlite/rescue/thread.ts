import type { RestorePlaces } from '../../../core/restore-ports.ts';
import { keyOf } from '../backup/copies.ts';
import { inThread } from '../database/task-thread.ts';
import { PagesRead, type RescueTask, Saved } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './rescue-worker.mjs',
  import.meta.url,
);

/** Reads what can be read of a damaged file into a new one. */
export const salvageInThread: RestorePlaces['salvage'] = async (
  { file, key, into, now },
  onPages,
  signal,
) => {
  const task: RescueTask = { file, key: keyOf({ file, key }), into, now };
  const onProgress = (value: unknown): void => {
    const { done, all } = PagesRead.parse(value);
    onPages(done, all);
  };
  const name = 'Reading the damaged file';
  return Saved.parse(await inThread({ worker: WORKER, task, name, onProgress, signal }));
};
