import type { Emit } from '../../../shared/contract/index.ts';
import type { Clock, CopyWriter, Scheduler, Stores } from '../ports.ts';

/** Few enough that taking them away is a matter of milliseconds. */
const AT_ONCE = 50;

interface CarePorts {
  readonly stores: Pick<Stores, 'agreements' | 'connections' | 'settings'>;
  readonly copies: Pick<CopyWriter, 'buildIndex'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly emit: Emit;
}

/** Looks after the local copy in small steps, between which everything else goes on. */
export interface CopyCare {
  /** Completes the search index, then lets go what the retention setting no longer keeps. */
  tend(signal: AbortSignal): Promise<void>;
}

export function createCopyCare({ stores, copies, clock, scheduler, emit }: CarePorts): CopyCare {
  const { agreements, connections, settings } = stores;

  async function complete(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await copies.buildIndex())) await scheduler.yield();
  }

  async function retire(signal: AbortSignal): Promise<void> {
    const { keepClosedMonths } = settings.read();
    if (keepClosedMonths === null) return;
    const at = clock.now();
    const before = monthsBefore(at, keepClosedMonths);
    let retired = 0;
    for (;;) {
      const now = signal.aborted ? 0 : agreements.retire({ before, limit: AT_ONCE, at });
      retired += now;
      if (now < AT_ONCE) break;
      await scheduler.yield();
    }
    if (retired === 0) return;
    for (const { id } of connections.list()) {
      emit('agreements.changed', { connectionId: id, added: 0, changed: 0 });
    }
  }

  return {
    async tend(signal) {
      await complete(signal);
      await retire(signal);
    },
  };
}

/** The same day and hour so many months ago; where that month is too short, its last day. */
function monthsBefore(now: number, months: number): number {
  const then = new Date(now);
  const day = then.getUTCDate();
  then.setUTCMonth(then.getUTCMonth() - months, 1);
  const days = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, days));
  return then.getTime();
}
