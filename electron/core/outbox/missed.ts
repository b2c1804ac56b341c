import type { Failure } from '../../../shared/errors.ts';
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
 * nothing went through its connection for as long. `sentAt` is when something did last; null: not in this process.
 */
export function isHeldUp(item: Timed, sentAt: number | null, now: number): boolean {
  const { nextAt, chosenAt } = item;
  if (nextAt === null || chosenAt === null || !isMissed(item, now)) return false;
  return nextAt - chosenAt > MISSED || sentAt === null || sentAt < now - MISSED;
}

/** Batches of which a time passed while nothing could send it wait for a person. */
export function askForMissedBatches({ outbox }: Pick<Stores, 'outbox'>, now: number): void {
  for (const { batchId, gate, counts } of outbox.batches(0)) {
    if (gate !== 'open' || counts.queued === 0) continue;
    if (!outbox.inBatch(batchId).some((item) => isMissed(item, now))) continue;
    outbox.setBatchGate(batchId, 'asks', timeMissed);
  }
}
