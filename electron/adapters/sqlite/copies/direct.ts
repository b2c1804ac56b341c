import type { Scheduler } from '../../../core/ports.ts';
import type { CopyWriter } from '../../../core/sync/ports.ts';
import { type CopyStores, type WritePace, PageWriter } from './page-writer.ts';

/** Number of agreements per commit on the main loop; a commit takes about half a frame. */
export const AGREEMENTS_PER_WRITE = 20;

const directPace: WritePace = {
  most: () => AGREEMENTS_PER_WRITE,
  pages: 1,
  between: AGREEMENTS_PER_WRITE,
  isOver: () => false,
  committed: () => {},
};

/**
 * Writes agreements on the calling loop, a few at a time, yielding in between. It is used for
 * in-memory data, which other threads cannot open, and for too few agreements to start a thread.
 */
export function createDirectCopies(stores: CopyStores, scheduler: Scheduler): CopyWriter {
  const { agreements } = stores;
  const writer = new PageWriter(stores, directPace);
  let isWriting = false;

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (!writer.isIdle) {
      writer.step();
      if (!writer.isIdle) await scheduler.yield();
    }
    isWriting = false;
  };

  return {
    store(page) {
      const written = writer.add(page);
      if (!isWriting) void writeAll();
      return written;
    },
    beginBulk: () => agreements.beginBulk(),
    endBulk: () => agreements.endBulk(),
    buildIndex: async () => agreements.buildIndex(),
    retire: async (retirement) => agreements.retire(retirement),
  };
}
