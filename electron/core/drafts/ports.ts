import type { Draft, UndoDepth } from '../../../shared/contract/drafts.ts';
import type { AgreementId, ApiName, DraftId, OutboxRef } from '../../../shared/model/ids.ts';

interface SentDraft {
  readonly draft: Draft;
  readonly ref: OutboxRef;
  readonly at: number;
  /** Null where the service never said which. */
  readonly agreement: AgreementId | null;
}

/** The steps of each draft, its trash, and what was sent. */
export interface DraftHistory {
  reach(id: DraftId): UndoDepth;
  /** Throws 'conflict' as `save` does; at an end it gives the draft as it is. */
  step(id: DraftId, revision: number, by: 1 | -1, at: number): Draft;
  /** A deleted draft is found by none of the other methods. Throws 'draft-locked'. */
  trash(id: DraftId, at: number): void;
  trashed(): readonly { readonly draft: Draft; readonly at: number }[];
  /** Throws 'not-found' when it is not in the trash. */
  restore(id: DraftId): void;
  destroy(id: DraftId): void;
  /** Whether there is one with this id, open, sent or in the trash. */
  holds(id: DraftId): boolean;
  /**
   * The draft became an agreement: it is kept, as it was sent, for a copy. `elsewhere` names the
   * agreement of what another desk sent; of what was sent from here the outbox knows it.
   */
  keepSent(id: DraftId, ref: OutboxRef, at: number, elsewhere?: AgreementId | null): void;
  /** What was sent from here and is kept, and what came with the export of another desk. */
  sent(): readonly SentDraft[];
  /** What this row of the outbox was made from; null when it is no longer there. */
  sentAs(ref: OutboxRef): Draft | null;
  /** What another desk made this agreement from; null when nothing of it is here. */
  sentElsewhere(id: AgreementId, api: ApiName): Draft | null;
  /** The groups that what was sent is shared with by name. */
  groupNames(): readonly string[];
  /** Gives the files of one draft to another, under their own ids. */
  copyFiles(from: DraftId, to: DraftId): void;
}
