import type { RowOutcome } from '../../../shared/contract/batches.ts';
import type { OutboxRef } from '../../../shared/model/ids.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { Stores } from '../ports.ts';

export function outcomeOf(outbox: Stores['outbox'], ref: OutboxRef): RowOutcome {
  return outcomeIn(outbox.get(ref));
}

export function outcomeIn({ ref, state, remoteId, reason, updatedAt }: StoredItem): RowOutcome {
  const isOver = state === 'sent' || state === 'cancelled';
  return {
    ref,
    state,
    remoteId,
    error: isOver ? null : (reason?.message ?? null),
    errorCode: isOver ? null : (reason?.reason ?? reason?.code ?? null),
    at: updatedAt,
  };
}
