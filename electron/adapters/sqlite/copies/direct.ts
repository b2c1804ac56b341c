import type { Scheduler } from '../../../core/ports.ts';
import type { CopyWriter } from '../../../core/sync/ports.ts';
import { type CopyStores, type Pace, PageWriter } from './page-writer.ts';

/** Agreements in a commit of the main loop: half a frame's work. */
export const FEW = 20;

const pace: Pace = {
  most: () => FEW,
  pages: 1,
  between: FEW,
  isOver: () => false,
  committed: () => {},
};

/**
 * Writes copies on the loop that asks, a few at a time: everything else goes on in between. For data
 * in memory, which no other thread can open, and for a few copies, which are no thread's worth.
 */
export function createDirectCopies(stores: CopyStores, scheduler: Scheduler): CopyWriter {
  const { agreements } = stores;
  const writer = new PageWriter(stores, pace);
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
