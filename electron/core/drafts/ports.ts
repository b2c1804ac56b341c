import type { Draft, UndoDepth } from '../../../shared/contract/drafts.ts';
import type { AgreementId, ApiName, DraftId, OutboxRef } from '../../../shared/model/ids.ts';

interface SentDraft {
  readonly draft: Draft;
  readonly ref: OutboxRef;
  readonly at: number;
  /** Null if the service never reported the id. */
  readonly agreement: AgreementId | null;
}

/** Undo steps of each draft, the trash, and sent drafts. */
export interface DraftHistory {
  reach(id: DraftId): UndoDepth;
  /** Throws 'conflict' as `save` does; at either end it returns the draft unchanged. */
  step(id: DraftId, revision: number, by: 1 | -1, at: number): Draft;
  /** No other method finds a deleted draft. Throws 'draft-locked'. */
  trash(id: DraftId, at: number): void;
  trashed(): readonly { readonly draft: Draft; readonly at: number }[];
  /** Throws 'not-found' if it is not in the trash. */
  restore(id: DraftId): void;
  destroy(id: DraftId): void;
  /** Whether there is a draft with this id, open, sent or in the trash. */
  holds(id: DraftId): boolean;
  /**
   * Keeps a sent draft unchanged for later copies. `elsewhere` is the agreement if another computer
   * sent it; for sends from here, the outbox has the id.
   */
  keepSent(id: DraftId, ref: OutboxRef, at: number, elsewhere?: AgreementId | null): void;
  /** Sent drafts from here, and those imported from another computer's data export. */
  sent(): readonly SentDraft[];
  /** Draft of this outbox row; null if it no longer exists. */
  sentAs(ref: OutboxRef): Draft | null;
  /** Draft from which another computer created this agreement; null if it is not here. */
  sentElsewhere(id: AgreementId, api: ApiName): Draft | null;
  /** Names of the groups that sent drafts were shared with. */
  groupNames(): readonly string[];
  /** Copies the files of one draft to another, keeping their ids. */
  copyFiles(from: DraftId, to: DraftId): void;
}
