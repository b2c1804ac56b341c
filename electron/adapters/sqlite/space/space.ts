import type { DataSpace } from '../../../core/privacy/ports.ts';
import { inThread } from '../database/task-thread.ts';
import type { OpenDatabase } from '../open/open.ts';
import { Freed, Measured, type SpaceTask } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './space-worker.mjs',
  import.meta.url,
);

const COMPACTING = 'Compacting';

/** The room that an open data file takes. */
export function spaceOf({ file, key }: Pick<OpenDatabase, 'file' | 'key'>): DataSpace {
  const task = (what: SpaceTask['do']): SpaceTask => ({ do: what, file, key: new Uint8Array(key) });
  return {
    measure: async () => {
      const name = 'Measuring the data file';
      return Measured.parse(await inThread({ worker: WORKER, task: task('measure'), name }));
    },
    async compactInSteps(onFreed, signal) {
      const onProgress = (value: unknown): void => {
        const { pages, of } = Freed.parse(value);
        onFreed(pages, of);
      };
      const how = { worker: WORKER, name: COMPACTING, onProgress, signal };
      await inThread({ ...how, task: task('compact-in-steps') });
    },
    async compactWhole() {
      await inThread({ worker: WORKER, task: task('compact-whole'), name: COMPACTING });
    },
  };
}
