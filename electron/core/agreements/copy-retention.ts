import type { CopyWriter, Scheduler } from '../ports.ts';

interface CopyRetentionPorts {
  readonly copies: Pick<CopyWriter, 'buildIndex'>;
  readonly scheduler: Scheduler;
  readonly retire: (signal: AbortSignal) => Promise<void>;
}

/** Maintains the local copies in small steps that do not block other work. */
export interface CopyRetention {
  /** Completes the search index, then removes copies that the retention setting no longer keeps. */
  tend(signal: AbortSignal): Promise<void>;
}

export function createCopyRetention({
  copies,
  scheduler,
  retire,
}: CopyRetentionPorts): CopyRetention {
  return {
    async tend(signal) {
      while (!signal.aborted && !(await copies.buildIndex())) await scheduler.yield();
      await retire(signal);
    },
  };
}
