import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { Clock, ConnectionStore } from '../ports.ts';
import type { Services } from '../services/services.ts';
import type { Sync } from './handlers.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Interval (ms) between reads of a connection: users look away for minutes, not hours, and a read
 * without changes costs two requests.
 */
const SYNC_INTERVAL_MS = 2 * MINUTE;
/** Retry delay (ms) without a network: it is short, because no server is contacted. */
const OFFLINE_RETRY_DELAY_MS = 30_000;
/** Maximum interval (ms) after repeated failures. */
const MAX_INTERVAL = 30 * MINUTE;
/**
 * Interval (ms) between checks of what is due. It is short, because timers stop while the computer
 * sleeps, but clocks do not.
 */
const TICK_MS = 15_000;
/** Minimum delay of a check (ms) from which it follows that the computer slept. */
const SLEEP_DETECTION_MS = MINUTE;

interface SchedulePorts {
  readonly sync: Pick<Sync, 'run'>;
  readonly stores: { readonly connections: Pick<ConnectionStore, 'list'> };
  readonly services: Pick<Services, 'refusal'>;
  readonly clock: Clock;
  /** Whether automatic reads are suspended; users can still start a read. */
  readonly isAtRest: () => boolean;
  /** Called when the clock shows that the computer slept; a host may know it earlier. */
  readonly onSlept: () => void;
}

interface SyncPlan {
  /** Time of the next read (epoch ms); null while the connection is being read. */
  readonly due: number | null;
  readonly failures: number;
  readonly failure: Failure | null;
}

/** Keeps every connection up to date from now on; the returned function stops it. */
export function scheduleSync(ports: SchedulePorts): () => Promise<void> {
  const { clock } = ports;
  const plans = new Map<ConnectionId, SyncPlan>();
  const stopping = new AbortController();
  const reading = new Set<Promise<void>>();
  let beatAt = clock.now();
  let callOff = () => {};

  const read = async (id: ConnectionId, { failures }: SyncPlan) => {
    plans.set(id, { due: null, failures, failure: null });
    const { failure } = await ports.sync.run(id, false, stopping.signal);
    const now = clock.now();
    const again = failure === null ? 0 : failures + 1;
    plans.set(id, { due: now + waitAfter(failure, again, now), failures: again, failure });
  };

  const beat = () => {
    const now = clock.now();
    const late = now - beatAt - TICK_MS;
    beatAt = now;
    callOff = clock.after(TICK_MS, beat);
    if (late > SLEEP_DETECTION_MS) ports.onSlept();
    if (ports.isAtRest()) return;
    const known = ports.stores.connections.list().map(({ id }) => id);
    for (const id of plans.keys()) if (!known.includes(id)) plans.delete(id);
    for (const id of known) {
      const plan = plans.get(id) ?? { due: now, failures: 0, failure: null };
      if (!isDue(plan, now, late, ports.services.refusal(id))) continue;
      const started = read(id, plan);
      reading.add(started);
      void started.finally(() => reading.delete(started));
    }
  };

  beat();
  return async () => {
    callOff();
    stopping.abort();
    await Promise.all(reading);
  };
}

function isDue(plan: SyncPlan, now: number, late: number, refusal: Failure | null): boolean {
  if (plan.due === null) return false;
  // If the clock was set back, the connection waits no longer than the maximum interval.
  if (plan.due <= now || plan.due - now > maxDelayOf(plan)) return true;
  // After sleep, every connection is read, unless the service set a retry time.
  if (late > SLEEP_DETECTION_MS && plan.failure?.retryAt === undefined) return true;
  return plan.failure?.code === 'signed-out' && refusal === null;
}

function maxDelayOf({ failure }: SyncPlan): number {
  return failure?.retryAt === undefined ? MAX_INTERVAL : Number.POSITIVE_INFINITY;
}

function waitAfter(failure: Failure | null, failures: number, now: number): number {
  if (failure === null) return SYNC_INTERVAL_MS;
  if (failure.code === 'offline') return OFFLINE_RETRY_DELAY_MS;
  const backoff = Math.min(SYNC_INTERVAL_MS * 2 ** Math.min(failures - 1, 10), MAX_INTERVAL);
  return Math.max(backoff, (failure.retryAt ?? now) - now);
}
