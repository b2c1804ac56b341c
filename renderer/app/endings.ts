import type { OutboxBatch, OutboxItem } from '../../shared/contract/outbox.ts';

type Send = Pick<
  OutboxItem,
  'ref' | 'kind' | 'state' | 'title' | 'people' | 'connectionId' | 'remoteId' | 'reason'
>;
type Batch = Pick<OutboxBatch, 'batchId' | 'title' | 'rows' | 'counts' | 'needsPerson'>;

/** The sends and batches in progress at one time. */
export interface WorkInProgress {
  readonly sends: readonly Send[];
  readonly batches: readonly Batch[];
}

/** The end of a send or a batch, or its need for a user's decision. */
export type Ending =
  | { readonly of: 'sends'; readonly sends: readonly Send[] }
  | { readonly of: 'trouble'; readonly send: Send }
  | { readonly of: 'batch'; readonly batch: Batch };

/** States that do not change automatically, or that may last long. */
const problemStates = new Set(['rejected', 'unknown', 'human', 'duplicate', 'absent']);

const hasUnsentRows = ({ counts }: Batch): boolean => counts.queued + counts.sending > 0;

/**
 * Sends and batches that ended between two times, the most urgent last. A short send may end before
 * it is seen to start. Signatures are excluded: the user who signs waits for the result.
 */
export function endingsBetween(before: WorkInProgress, now: WorkInProgress): readonly Ending[] {
  const earlier = new Map(before.sends.map((send) => [send.ref, send.state]));
  const changed = now.sends.filter(
    ({ ref, kind, state }) => kind === 'create' && earlier.get(ref) !== state,
  );
  const sent = changed.filter(({ state }) => state === 'sent');
  const ended = now.batches.filter((batch) => {
    const was = before.batches.find(({ batchId }) => batchId === batch.batchId);
    return was !== undefined && hasUnsentRows(was) && !hasUnsentRows(batch);
  });
  return [
    ...(sent.length === 0 ? [] : [{ of: 'sends', sends: sent } as const]),
    ...ended.map((batch) => ({ of: 'batch', batch }) as const),
    ...changed
      .filter(({ state }) => problemStates.has(state))
      .map((send) => ({ of: 'trouble', send }) as const),
  ];
}
