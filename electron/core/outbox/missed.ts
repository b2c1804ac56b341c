import type { Failure } from '../../../shared/errors.ts';
import type { StoredItem } from './ports.ts';
import { MISSED } from './times.ts';
import type { Stores } from '../ports.ts';

export const timeMissed: Failure = {
  code: 'conflict',
  message: 'Its time passed while the program was closed or the computer slept',
  reason: 'time-missed',
};

/** A person chose its time, and that passed while nothing could send it. */
export const isMissed = (
  { state, isScheduled, nextAt }: Pick<StoredItem, 'state' | 'isScheduled' | 'nextAt'>,
  now: number,
): boolean => state === 'queued' && isScheduled && nextAt !== null && nextAt < now - MISSED;

/** Batches of which a time passed while the program was closed or the computer slept wait for a person. */
export function askForMissedBatches({ outbox }: Pick<Stores, 'outbox'>, now: number): void {
  for (const { batchId, gate, counts } of outbox.batches(0)) {
    if (gate !== 'open' || counts.queued === 0) continue;
    if (!outbox.inBatch(batchId).some((item) => isMissed(item, now))) continue;
    outbox.setBatchGate(batchId, 'asks', timeMissed);
  }
}
