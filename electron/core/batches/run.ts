import type { BatchProgress } from '../../../shared/contract/batches.ts';
import type { BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxBatch } from '../../../shared/contract/outbox.ts';
import { isSentImmediately, sendingTimesFor } from '../../../shared/rules/batches/times.ts';
import { askForMissedBatches } from '../outbox/missed.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Clock, Stores } from '../ports.ts';
import { requireActive } from '../deactivation.ts';
import type { Emit } from '../../../shared/contract/index.ts';

export interface RunPorts {
  readonly stores: Pick<Stores, 'batches' | 'outbox' | 'evidence' | 'transaction'>;
  readonly worker: Pick<OutboxWorker, 'hold' | 'wake'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

export function progressOf({ stores }: Pick<RunPorts, 'stores'>, id: BatchId): BatchProgress {
  const batch = stores.outbox.batch(id);
  const { reason, armedAt, counts } = batch;
  const nextAt = counts.queued === 0 ? null : nextSendTime(stores, id);
  return { ...progressNumbers(batch), reason, armedAt, nextAt };
}

/** Returns the counts of a batch without reading a row. */
export function progressNumbers({
  rows,
  counts,
  gate,
  needsPerson,
}: OutboxBatch): Omit<BatchProgress, 'reason' | 'armedAt' | 'nextAt'> {
  const count = (...states: (keyof OutboxBatch['counts'])[]) =>
    states.reduce((sum, state) => sum + counts[state], 0);
  return {
    rows,
    sent: count('sent'),
    refused: count('rejected'),
    unknown: count('unknown', 'absent', 'human', 'duplicate'),
    givenUp: count('abandoned'),
    waiting: count('queued', 'sending'),
    stopped: count('cancelled'),
    needsPerson,
    gate,
  };
}

function nextSendTime(stores: RunPorts['stores'], id: BatchId): number | null {
  const times = stores.outbox
    .inBatch(id)
    .flatMap(({ state, nextAt }) => (state === 'queued' && nextAt !== null ? [nextAt] : []));
  return times.length === 0 ? null : times.reduce((first, one) => Math.min(first, one));
}

export function pauseBatch(ports: RunPorts, id: BatchId): BatchProgress {
  const { gate } = ports.stores.outbox.batch(id);
  if (gate === 'open') ports.stores.outbox.setBatchGate(id, 'paused', null);
  return emitChanged(ports, id);
}

/** Resumes a batch for the user. Rows that missed their time keep their intervals. */
export function resumeBatch(ports: RunPorts, id: BatchId): BatchProgress {
  const { stores, clock, worker } = ports;
  requireActive(stores);
  const { schedule } = stores.batches.get(id);
  worker.hold();
  // A row that replaces one that was sent after all waits for its own decision by the user.
  const waiting = stores.outbox
    .inBatch(id)
    .filter(({ state, nextAt }) => state === 'queued' && nextAt !== null);
  if (!isSentImmediately(schedule)) {
    const now = clock.now();
    const times = sendingTimesFor(schedule, waiting.length, now);
    stores.outbox.setTimes(
      new Map(waiting.map(({ ref }, index) => [ref, times[index] ?? now])),
      now,
    );
  }
  stores.outbox.setBatchGate(id, 'open', null);
  worker.wake();
  return emitChanged(ports, id);
}

/** Sends held rows immediately; scheduled rows keep their times. */
export function sendNow(ports: RunPorts, id: BatchId): BatchProgress {
  const { stores, clock, worker } = ports;
  requireActive(stores);
  const now = clock.now();
  const held = stores.outbox
    .inBatch(id)
    .filter(
      ({ state, isScheduled, nextAt }) => state === 'queued' && !isScheduled && nextAt !== null,
    );
  stores.outbox.setTimes(new Map(held.map(({ ref }) => [ref, now])), now);
  worker.wake();
  return emitChanged(ports, id);
}

/** Cancels unsent rows permanently; rows that were sent stay sent. */
export function stopBatch(ports: RunPorts, id: BatchId): BatchProgress {
  cancelWaiting(ports, id);
  return emitChanged(ports, id);
}

/** Cancels the waiting rows of a batch and returns them. */
export function cancelWaiting(
  { stores, clock }: Pick<RunPorts, 'clock'> & { readonly stores: Pick<Stores, 'outbox'> },
  id: BatchId,
): readonly OutboxRef[] {
  stores.outbox.setBatchGate(id, 'stopped', null);
  return stores.outbox.cancelBatch(id, clock.now(), 'person');
}

function emitChanged(ports: RunPorts, id: BatchId): BatchProgress {
  ports.emit('batches.changed', { id });
  return progressOf(ports, id);
}

/**
 * After an earlier process ended: discards frozen rows that are not armed, and pauses batches that
 * missed their times.
 */
export function recoverBatches({ stores, clock }: Pick<RunPorts, 'stores' | 'clock'>): void {
  const now = clock.now();
  const armed = new Set(stores.outbox.batches(0).map(({ batchId }) => batchId));
  for (const id of stores.batches.arming()) {
    if (armed.has(id)) stores.batches.setStage(id, 'arming', 'armed', now);
    else {
      stores.outbox.discardStaged(id);
      stores.batches.setStage(id, 'arming', 'open', now);
    }
  }
  askForMissedBatches(stores, now);
}
