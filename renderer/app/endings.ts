import type { OutboxBatch, OutboxItem } from '../../shared/contract/outbox.ts';

type Send = Pick<
  OutboxItem,
  'ref' | 'kind' | 'state' | 'title' | 'people' | 'connectionId' | 'remoteId' | 'reason'
>;
type Batch = Pick<OutboxBatch, 'batchId' | 'title' | 'rows' | 'counts' | 'needsPerson'>;

/** What goes out, as it is known at one time. */
export interface Going {
  readonly sends: readonly Send[];
  readonly batches: readonly Batch[];
}

/** How something that was sent ended, or where it stands until a person is needed. */
export type Ending =
  | { readonly of: 'sends'; readonly sends: readonly Send[] }
  | { readonly of: 'trouble'; readonly send: Send }
  | { readonly of: 'batch'; readonly batch: Batch };

/** Nothing more happens to it by itself, or it may take long. */
const troubles = new Set(['rejected', 'unknown', 'human', 'duplicate', 'absent']);

const isGoing = ({ counts }: Batch): boolean => counts.queued + counts.sending > 0;

/**
 * What ended between two times, the most pressing last; a short send is over before it is seen to
 * begin. Signatures are left out: who signs waits for the result and sees it there.
 */
export function endingsBetween(before: Going, now: Going): readonly Ending[] {
  const earlier = new Map(before.sends.map((send) => [send.ref, send.state]));
  const changed = now.sends.filter(
    ({ ref, kind, state }) => kind === 'create' && earlier.get(ref) !== state,
  );
  const sent = changed.filter(({ state }) => state === 'sent');
  const ended = now.batches.filter((batch) => {
    const was = before.batches.find(({ batchId }) => batchId === batch.batchId);
    return was !== undefined && isGoing(was) && !isGoing(batch);
  });
  return [
    ...(sent.length === 0 ? [] : [{ of: 'sends', sends: sent } as const]),
    ...ended.map((batch) => ({ of: 'batch', batch }) as const),
    ...changed
      .filter(({ state }) => troubles.has(state))
      .map((send) => ({ of: 'trouble', send }) as const),
  ];
}
