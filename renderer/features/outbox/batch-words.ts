import type { BatchProgress } from '../../../shared/contract/batches.ts';
import type { OutboxBatch } from '../../../shared/contract/outbox.ts';
import { m } from '../../ui/language.svelte.ts';
import { openRows } from './lines.ts';

const gateLooks = {
  open: { tone: 'out', word: m.batch_gate_open },
  paused: { tone: 'waiting', word: m.batch_gate_paused },
  stopped: { tone: 'revoked', word: m.batch_gate_stopped },
  asks: { tone: 'attention', word: m.batch_gate_asks },
} as const;

/** State of a batch in the outbox. A batch that needs a user is never shown as done or in green. */
export function gateLook({
  gate,
  waiting,
  needsPerson,
}: Pick<BatchProgress, 'gate' | 'waiting' | 'needsPerson'>) {
  if (waiting > 0) return gateLooks[gate];
  if (needsPerson > 0) {
    const text = gate === 'stopped' ? m.batch_gate_stopped_needs : m.batch_gate_done_needs;
    return { tone: 'attention', word: () => text({ count: needsPerson }) } as const;
  }
  if (gate === 'stopped') return gateLooks.stopped;
  return { tone: 'signed', word: m.batch_gate_done } as const;
}

/** Badge of a batch's line; rows that need a user come before everything else. */
export function batchLook({ gate, counts, needsPerson }: OutboxBatch) {
  if (needsPerson > 0) return gateLooks.asks;
  return gateLook({ gate, waiting: counts.queued + counts.sending, needsPerson });
}

/** How many rows were sent, and how many are not finished. */
export const batchText = (batch: OutboxBatch): string =>
  m.outbox_batch_rows({ sent: batch.counts.sent, rows: batch.rows, open: openRows(batch) });
