import type { DataSizes } from '../../../shared/contract/privacy.ts';
import type { BatchId, DraftId, TemplateId } from '../../../shared/model/ids.ts';

/** Items old enough to remove, and kept items of the same kind, each by its first reason. */
export interface OldItemCounts {
  readonly number: number;
  readonly bytes: number;
  readonly oldest: number | null;
  readonly younger: number;
  readonly unsettled: number;
}

/** Kinds for which only the data file determines what may be removed. */
export type StoredKind = 'trash' | 'sent' | 'sheets';

/** Kinds whose removed ids are kept, so that an older copy cannot restore them. */
export type RemovedKind = 'draft' | 'template' | 'person' | 'group' | 'batch';

/** Removed items, for the views that show them. */
export interface DroppedItems {
  readonly drafts: readonly DraftId[];
  readonly templates: readonly TemplateId[];
  readonly batches: readonly BatchId[];
}

export interface PrivacyStore {
  old(kind: StoredKind, before: number): OldItemCounts;
  /** Removes at most `limit` items; never unsettled items, outbox rows or evidence. */
  drop(kind: StoredKind, before: number, limit: number): DroppedItems;
  /**
   * Whether an item with this id was removed from the data (not only moved to the trash), or is a
   * draft that the user removed for all computers of the office.
   */
  wasRemoved(kind: RemovedKind, id: string): boolean;
  /** Time when it was removed with an erased person (epoch ms); null for any other item. */
  forgottenAt(kind: RemovedKind, id: string): number | null;
}

export interface LogFiles {
  /** Lines before `before`, and figures of all files. */
  old(before: number): Pick<OldItemCounts, 'number' | 'bytes' | 'oldest' | 'younger'>;
  drop(before: number): number;
  bytes(): number;
}

/** Disk space of the data file, measured and freed on another thread. */
export interface DataSpace {
  measure(): Promise<Omit<DataSizes, 'diskBytes' | 'logBytes'>>;
  /** Moves data from the end of the file into free pages, in small steps. */
  compactInSteps(onFreed: (pages: number, of: number) => void, signal: AbortSignal): Promise<void>;
  /** Rewrites the whole file; other writers wait. */
  compactWhole(): Promise<void>;
}
