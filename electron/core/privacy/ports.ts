import type { DataSizes } from '../../../shared/contract/privacy.ts';
import type { BatchId, DraftId, TemplateId } from '../../../shared/model/ids.ts';

/** What is old enough to go, and what stays of the same kind, each by its first reason. */
export interface FoundOld {
  readonly number: number;
  readonly bytes: number;
  readonly oldest: number | null;
  readonly younger: number;
  readonly unsettled: number;
}

/** Kinds of which the data file alone knows what may go. */
export type StoredKind = 'trash' | 'sent' | 'sheets';

/** Of what was removed, ids are kept, so that no older copy brings it back. */
export type RemovedKind = 'draft' | 'template' | 'person' | 'group' | 'batch';

/** What was taken away, for those who show it. */
export interface Dropped {
  readonly drafts: readonly DraftId[];
  readonly templates: readonly TemplateId[];
  readonly batches: readonly BatchId[];
}

export interface PrivacyStore {
  old(kind: StoredKind, before: number): FoundOld;
  /** Takes away at most so many; what is unsettled, in the outbox or evidence never is. */
  drop(kind: StoredKind, before: number, limit: number): Dropped;
  /**
   * Whether one of this id was here and was removed from the data, not only thrown into the trash, or is a draft
   * that a person removed for all desks of the office.
   */
  wasRemoved(kind: RemovedKind, id: string): boolean;
  /** When it was removed with a person who was forgotten (epoch ms); null for any other. */
  forgottenAt(kind: RemovedKind, id: string): number | null;
}

/** The log's own files. */
export interface LogFiles {
  /** Lines of before, and of all files together. */
  old(before: number): Pick<FoundOld, 'number' | 'bytes' | 'oldest' | 'younger'>;
  drop(before: number): number;
  bytes(): number;
}

/** The room that the data file takes, looked at and given back beside the loop. */
export interface DataSpace {
  measure(): Promise<Omit<DataSizes, 'diskBytes' | 'logBytes'>>;
  /** Moves what lies at the end of the file into free places, a little at a time. */
  compactInSteps(onFreed: (pages: number, of: number) => void, signal: AbortSignal): Promise<void>;
  /** Writes all of the file anew; whoever writes meanwhile waits for it. */
  compactWhole(): Promise<void>;
}
