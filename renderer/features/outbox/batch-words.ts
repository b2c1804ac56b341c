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

/**
 * State of a batch in the outbox. A batch that needs a user, or with rows that were given up, is
 * never shown in green.
 */
export function gateLook({
  gate,
  waiting,
  needsPerson,
  givenUp,
}: Pick<BatchProgress, 'gate' | 'waiting' | 'needsPerson' | 'givenUp'>) {
  if (waiting > 0) return gateLooks[gate];
  if (needsPerson > 0) {
    const text = gate === 'stopped' ? m.batch_gate_stopped_needs : m.batch_gate_done_needs;
    return { tone: 'attention', word: () => text({ count: needsPerson }) } as const;
  }
  if (gate === 'stopped') return gateLooks.stopped;
  if (givenUp > 0) {
    const word = () => m.batch_gate_done_given_up({ count: givenUp });
    return { tone: 'draft', word } as const;
  }
  return { tone: 'signed', word: m.batch_gate_done } as const;
}

/** Badge of a batch's line; rows that need a user come before everything else. */
export function batchLook({ gate, counts, needsPerson }: OutboxBatch) {
  if (needsPerson > 0) return gateLooks.asks;
  const { queued, sending, abandoned: givenUp } = counts;
  return gateLook({ gate, waiting: queued + sending, needsPerson, givenUp });
}

/** How many rows were sent, how many are not finished, and how many the user gave up. */
export function batchText(batch: OutboxBatch): string {
  const { rows, counts } = batch;
  const { sent, abandoned } = counts;
  const open = openRows(batch);
  return abandoned === 0
    ? m.outbox_batch_rows({ sent, rows, open })
    : m.outbox_batch_rows_given_up({ sent, rows, open, count: abandoned });
}
