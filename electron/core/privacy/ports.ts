import type { DataSizes } from '../../../shared/contract/privacy.ts';
import type { BatchId, DraftId, TemplateId } from '../../../shared/model/ids.ts';

/**
 * Numbers of items of one kind: those old enough to remove, and those kept, each counted under its
 * first reason.
 */
export interface OldItemCounts {
  readonly number: number;
  readonly bytes: number;
  readonly oldest: number | null;
  readonly younger: number;
  readonly unsettled: number;
}

/** Kinds of items for which the data file alone determines what may be removed. */
export type StoredKind = 'trash' | 'sent' | 'sheets';

/**
 * Kinds of items whose IDs are kept after removal, so that an older copy of the data cannot bring
 * the items back.
 */
export type RemovedKind = 'draft' | 'template' | 'person' | 'group' | 'batch';

/** IDs of removed items, for the views that show these items. */
export interface DroppedItems {
  readonly drafts: readonly DraftId[];
  readonly templates: readonly TemplateId[];
  readonly batches: readonly BatchId[];
}

export interface PrivacyStore {
  old(kind: StoredKind, before: number): OldItemCounts;
  /**
   * Removes at most `limit` items. Never removes evidence, outbox rows or items whose outcome is
   * open.
   */
  drop(kind: StoredKind, before: number, limit: number): DroppedItems;
  /**
   * Whether an item with this id was removed from the data (not only moved to the trash), or is a
   * draft that the user removed for all computers of the office.
   */
  wasRemoved(kind: RemovedKind, id: string): boolean;
  /**
   * Returns when an item was removed together with an erased person (epoch ms); null for any other
   * item.
   */
  forgottenAt(kind: RemovedKind, id: string): number | null;
}

export interface LogFiles {
  /** Returns the number of log lines before `before`, and figures of all log files. */
  old(before: number): Pick<OldItemCounts, 'number' | 'bytes' | 'oldest' | 'younger'>;
  drop(before: number): number;
  bytes(): number;
}

/** Measures and frees the disk space of the data file, on another thread. */
export interface DataSpace {
  measure(): Promise<Omit<DataSizes, 'diskBytes' | 'logBytes'>>;
  /** Moves data from the end of the file into free pages, in small steps. */
  compactInSteps(onFreed: (pages: number, of: number) => void, signal: AbortSignal): Promise<void>;
  /** Rewrites the whole data file; other writers wait. */
  compactWhole(): Promise<void>;
}
