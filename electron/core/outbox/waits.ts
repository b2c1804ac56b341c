import type { OutboxTransitions } from './transitions.ts';
import type { OutboxGates } from './gates.ts';
import type { StoredItem } from './ports.ts';
import { CLOCK_SLACK, SETTLE } from './times.ts';
import type { Clock, Stores } from '../ports.ts';

/** Maximum age of a write (ms) that counts as made after the clock was put back. */
const RECENT_WRITE_MS = 120_000;

interface WaitPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly transitions: Pick<OutboxTransitions, 'postpone'>;
  readonly gates: Pick<OutboxGates, 'close'>;
  readonly clock: Clock;
}

/**
 * Shortens waits after the clock was put back by `by` milliseconds, so that no row waits longer
 * than intended. Times that a user set are clock times and are not changed.
 */
export function shortenWaits(ports: WaitPorts, by: number): void {
  const { stores, gates, clock } = ports;
  const now = clock.now();
  const isOlder = (at: number) => at > now || at < now - RECENT_WRITE_MS;
  for (const { connectionId, kind, until, since, reason } of stores.outbox.gates()) {
    if (until !== null && isOlder(since)) gates.close(connectionId, kind, until - by, reason);
  }
  for (const item of stores.outbox.inState('queued')) {
    const { ref, nextAt, isScheduled, chosenAt, updatedAt, reason } = item;
    if (nextAt === null || nextAt <= now || !isOlder(updatedAt)) continue;
    const chosen = isScheduled ? (chosenAt ?? nextAt) : 0;
    const earlier = Math.max(nextAt - by, chosen);
    if (earlier < nextAt) ports.transitions.postpone(ref, earlier, { cause: 'clock', reason });
  }
  for (const connectionId of stores.outbox.scanTimes().keys()) {
    for (const item of stores.outbox.inDoubt(connectionId)) scanEarlier(ports, item, by);
  }
}

/**
 * Resets impossible scan times, which result if the clock was ahead when the scans were postponed,
 * and was corrected while no process ran. A time is impossible if it is later than any scan can be
 * postponed, or if a past scan is dated in the future.
 */
export function endImpossibleScans({ stores, clock }: Pick<WaitPorts, 'stores' | 'clock'>): void {
  const now = clock.now();
  for (const connectionId of stores.outbox.scanTimes().keys()) {
    for (const item of stores.outbox.inDoubt(connectionId)) {
      const { lookAt, inconclusiveSince } = item.track;
      if (lookAt === null) continue;
      const isFar = lookAt > now + SETTLE + CLOCK_SLACK;
      const isLater = inconclusiveSince !== null && inconclusiveSince > now;
      if (!isFar && !isLater) continue;
      const track = {
        lookAt: isFar ? now : lookAt,
        inconclusiveSince: isLater ? now : inconclusiveSince,
      };
      stores.outbox.apply(item, { to: item.state, cause: 'clock', track }, now);
    }
  }
}

/**
 * Brings forward the next scan of a row. A scan that is too early proves nothing, because proofs
 * depend on the service's clock.
 */
function scanEarlier({ stores, clock }: WaitPorts, item: StoredItem, by: number): void {
  const { lookAt, inconclusiveSince } = item.track;
  if (lookAt === null) return;
  const track = {
    lookAt: lookAt - by,
    inconclusiveSince: inconclusiveSince === null ? null : inconclusiveSince - by,
  };
  stores.outbox.apply(item, { to: item.state, cause: 'clock', track }, clock.now());
}
