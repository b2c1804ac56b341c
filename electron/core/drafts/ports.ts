import type { Draft, DraftReach } from '../../../shared/contract/drafts.ts';
import type { DraftId, OutboxRef } from '../../../shared/model/ids.ts';

/** The steps of each draft, its trash, and what was sent. */
export interface DraftHistory {
  reach(id: DraftId): DraftReach;
  /** Throws 'conflict' as `save` does; at an end it gives the draft as it is. */
  step(id: DraftId, revision: number, by: 1 | -1, at: number): Draft;
  /** A deleted draft is found by none of the other methods. Throws 'draft-locked'. */
  trash(id: DraftId, at: number): void;
  trashed(): readonly { readonly draft: Draft; readonly at: number }[];
  /** Throws 'not-found' when it is not in the trash. */
  restore(id: DraftId): void;
  destroy(id: DraftId): void;
  /** Drops what lies in the trash since before `trashed`, and what was sent before `sent`. */
  purge(before: { readonly trashed: number; readonly sent: number }): void;
  /** The draft became an agreement: it is kept, as it was sent, for a copy. */
  keepSent(id: DraftId, ref: OutboxRef, at: number): void;
  /** What this row of the outbox was made from; null when it is no longer there. */
  sentAs(ref: OutboxRef): Draft | null;
  /** The groups that what was sent is shared with by name. */
  groupNames(): readonly string[];
  /** Gives the files of one draft to another, under their own ids. */
  copyFiles(from: DraftId, to: DraftId): void;
}
