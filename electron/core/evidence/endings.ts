import type { ActionState } from '../../../shared/contract/actions.ts';
import type { EvidenceEntry, EvidenceFact } from '../../../shared/contract/evidence.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { StoredItem } from '../outbox/ports.ts';

/** Outcome of a signature or rejection, with the source of the outcome. */
export type EvidenceOutcome = Pick<
  Extract<EvidenceFact, { kind: 'ended' }>,
  'outcome' | 'known' | 'failure'
>;

/** Outcome if the request was not sent, for example because the program ended before. */
export const notDoneEvidenceOutcome: EvidenceOutcome = {
  outcome: 'not-done',
  known: 'program',
  failure: null,
};

export const unknownEvidenceOutcome: EvidenceOutcome = {
  outcome: 'unknown',
  known: 'program',
  failure: null,
};

/** Returns the outcome of a signature by its row of the outbox; null while it is undecided. */
export function outcomeOfSignature(
  { state, reason }: Pick<StoredItem, 'state' | 'reason'>,
  lastCause: string | undefined,
): EvidenceOutcome | null {
  const failure = reason?.message ?? null;
  switch (state) {
    case 'queued':
    case 'sending':
      return null;
    case 'sent':
    case 'duplicate':
      return { outcome: 'done', known: lastCause === 'answer' ? 'answer' : 'read', failure: null };
    case 'rejected':
      return { outcome: 'refused', known: 'answer', failure };
    case 'unknown':
    case 'absent':
    case 'human':
      return { ...unknownEvidenceOutcome, failure };
    case 'abandoned':
      // The user gave up while the outcome was unknown, which proves nothing.
      return { outcome: 'unknown', known: 'person', failure };
    case 'cancelled':
      return { ...notDoneEvidenceOutcome, failure };
  }
}

interface EndedAction {
  readonly state: ActionState;
  readonly failure: Failure | null;
}

/** Returns the outcome of an action by its state; null while it is undecided. */
export function outcomeOfAction(
  { state, failure }: EndedAction,
  lastCause: string,
): EvidenceOutcome | null {
  const message = failure?.message ?? null;
  switch (state) {
    case 'queued':
    case 'sending':
      return null;
    case 'done':
      // The service refused this request, because the act had been done earlier.
      if (lastCause === 'already') return { outcome: 'refused', known: 'answer', failure: null };
      return { outcome: 'done', known: lastCause === 'answer' ? 'answer' : 'read', failure: null };
    case 'refused':
      return lastCause === 'answer'
        ? { outcome: 'refused', known: 'answer', failure: message }
        : { ...notDoneEvidenceOutcome, failure: message };
    case 'unknown':
      return { ...unknownEvidenceOutcome, failure: message };
  }
}

/** Whether the last outcome recorded in the entries is this outcome. */
export function isRecorded(
  entries: readonly EvidenceEntry[],
  { outcome, known }: EvidenceOutcome,
): boolean {
  const last = entries.findLast(({ fact }) => fact.kind === 'ended')?.fact;
  return last?.kind === 'ended' && last.outcome === outcome && last.known === known;
}
