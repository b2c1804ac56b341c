import type { Draft, UndoDepth } from '../../../shared/contract/drafts.ts';
import type { AgreementId, ApiName, DraftId, OutboxRef } from '../../../shared/model/ids.ts';

interface SentDraft {
  readonly draft: Draft;
  readonly ref: OutboxRef;
  readonly at: number;
  /** Agreement that was created; null if the service never reported its id. */
  readonly agreement: AgreementId | null;
}

/** Undo steps of each draft, the trash, and sent drafts. */
export interface DraftHistory {
  reach(id: DraftId): UndoDepth;
  /**
   * Moves one undo step back or forward. Throws 'conflict' as `save` does. Returns the draft
   * unchanged if there is no further step.
   */
  step(id: DraftId, revision: number, by: 1 | -1, at: number): Draft;
  /**
   * Moves a draft to the trash, where only `trashed`, `restore`, `destroy` and `holds` find it.
   * Throws 'draft-locked'.
   */
  trash(id: DraftId, at: number): void;
  trashed(): readonly { readonly draft: Draft; readonly at: number }[];
  /** Throws 'not-found' if the draft is not in the trash. */
  restore(id: DraftId): void;
  destroy(id: DraftId): void;
  /** Whether there is a draft with this id, open, sent or in the trash. */
  holds(id: DraftId): boolean;
  /**
   * Keeps a sent draft unchanged for later copies. `elsewhere` is the agreement if another computer
   * sent it; for sends from this computer, the outbox has the id.
   */
  keepSent(id: DraftId, ref: OutboxRef, at: number, elsewhere?: AgreementId | null): void;
  /**
   * Returns the drafts sent from this computer, and those imported from another computer's data
   * export.
   */
  sent(): readonly SentDraft[];
  /** Returns the draft of this outbox row; null if that draft no longer exists. */
  sentAs(ref: OutboxRef): Draft | null;
  /**
   * Returns the draft from which another computer created this agreement; null if this computer
   * does not have it.
   */
  sentElsewhere(id: AgreementId, api: ApiName): Draft | null;
  /** Returns the names of the groups that sent drafts were shared with. */
  groupNames(): readonly string[];
  /** Copies the files of one draft to another, keeping their ids. */
  copyFiles(from: DraftId, to: DraftId): void;
}
