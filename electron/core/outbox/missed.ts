import type { Failure } from '../../../shared/errors.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { StoredItem } from './ports.ts';
import { MISSED } from './times.ts';
import type { Stores } from '../ports.ts';

export const timeMissed: Failure = {
  code: 'conflict',
  message: 'Its time passed: the program was closed, the computer slept, or something held it back',
  reason: 'time-missed',
};

type Timed = Pick<StoredItem, 'state' | 'isScheduled' | 'nextAt' | 'chosenAt'>;

/** A person chose its time, and that passed too long ago, whatever held it back since. */
export const isMissed = ({ state, isScheduled, nextAt, chosenAt }: Timed, now: number): boolean =>
  state === 'queued' && isScheduled && nextAt !== null && (chosenAt ?? nextAt) < now - MISSED;

/**
 * The same of a row whose turn has come, and not only because many were sent before it: it was put off itself, or
 * its connection was held up at that time or later. `flowingSince`: see `Flow`.
 */
export function isHeldUp(item: Timed, flowingSince: number | null, now: number): boolean {
  const { nextAt, chosenAt } = item;
  if (nextAt === null || chosenAt === null || !isMissed(item, now)) return false;
  const [wasPutOff, isLate] = [
    nextAt - chosenAt > MISSED,
    (flowingSince ?? now) - chosenAt > MISSED,
  ];
  return wasPutOff || isLate;
}

/** How long a service has taken or refused what a connection sends, without a break that a person would notice. */
export class Flow {
  readonly #runs = new Map<ConnectionId, { readonly since: number; readonly lastAt: number }>();

  /** The service took or refused something. */
  note(id: ConnectionId, now: number): void {
    this.#runs.set(id, { since: this.since(id, now) ?? now, lastAt: now });
  }

  /** Since when, in epoch milliseconds; null: it does not now, or never did in this process. */
  since(id: ConnectionId, now: number): number | null {
    const run = this.#runs.get(id);
    return run === undefined || now - run.lastAt > MISSED ? null : run.since;
  }
}

/** Batches of which a time passed while nothing could send it wait for a person. */
export function askForMissedBatches({ outbox }: Pick<Stores, 'outbox'>, now: number): void {
  for (const { batchId, gate, counts } of outbox.batches(0)) {
    if (gate !== 'open' || counts.queued === 0) continue;
    if (!outbox.inBatch(batchId).some((item) => isMissed(item, now))) continue;
    outbox.setBatchGate(batchId, 'asks', timeMissed);
  }
}
