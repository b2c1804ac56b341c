import type { Failure } from '../../../shared/errors.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { StoredItem } from './ports.ts';
import { MISSED } from './times.ts';
import type { Stores } from '../ports.ts';

export const timeMissedFailure: Failure = {
  code: 'conflict',
  message:
    'The scheduled time passed: the program was closed, the computer slept, or sending was held back',
  reason: 'time-missed',
};

type ScheduledTimes = Pick<StoredItem, 'state' | 'isScheduled' | 'nextAt' | 'chosenAt'>;

/** Whether a waiting row's scheduled time passed more than `MISSED` ago, for any reason. */
export const isMissed = (
  { state, isScheduled, nextAt, chosenAt }: ScheduledTimes,
  now: number,
): boolean =>
  state === 'queued' && isScheduled && nextAt !== null && (chosenAt ?? nextAt) < now - MISSED;

/**
 * Whether a due row missed its scheduled time for another reason than a long queue: the row was
 * postponed, or the connection sent nothing at that time. `flowingSince`: see `SendFlow`.
 */
export function isHeldUp(item: ScheduledTimes, flowingSince: number | null, now: number): boolean {
  const { nextAt, chosenAt } = item;
  if (nextAt === null || chosenAt === null || !isMissed(item, now)) return false;
  if (nextAt - chosenAt > MISSED) return true;
  return flowingSince === null || flowingSince - chosenAt > MISSED;
}

/**
 * Tracks, by connection, since when the service has been accepting or rejecting rows without a
 * break longer than `MISSED`.
 */
export class SendFlow {
  readonly #runs = new Map<ConnectionId, { readonly since: number; readonly lastAt: number }>();

  /** Records that the service accepted or rejected a row. */
  note(id: ConnectionId, now: number): void {
    this.#runs.set(id, { since: this.since(id, now) ?? now, lastAt: now });
  }

  /**
   * Returns the start of the current run of rows (epoch ms); null during a break, and before the
   * first row of this process.
   */
  since(id: ConnectionId, now: number): number | null {
    const run = this.#runs.get(id);
    return run === undefined || now - run.lastAt > MISSED ? null : run.since;
  }
}

/** Makes batches with a missed scheduled time wait for the user. */
export function askForMissedBatches({ outbox }: Pick<Stores, 'outbox'>, now: number): void {
  for (const { batchId, gate, counts } of outbox.batches(0)) {
    if (gate !== 'open' || counts.queued === 0) continue;
    if (!outbox.inBatch(batchId).some((item) => isMissed(item, now))) continue;
    outbox.setBatchGate(batchId, 'asks', timeMissedFailure);
  }
}
