import type { CopyWriter, Scheduler } from '../ports.ts';

interface CarePorts {
  readonly copies: Pick<CopyWriter, 'buildIndex'>;
  readonly scheduler: Scheduler;
  /** Lets closed agreements go that are no longer kept. */
  readonly retire: (signal: AbortSignal) => Promise<void>;
}

/** Looks after the local copy in small steps, between which everything else goes on. */
export interface CopyRetention {
  /** Completes the search index, then lets go what the retention setting no longer keeps. */
  tend(signal: AbortSignal): Promise<void>;
}

export function createCopyRetention({ copies, scheduler, retire }: CarePorts): CopyRetention {
  return {
    async tend(signal) {
      while (!signal.aborted && !(await copies.buildIndex())) await scheduler.yield();
      await retire(signal);
    },
  };
}
