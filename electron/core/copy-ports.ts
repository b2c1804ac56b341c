import type { BackupCounts } from '../../shared/contract/backup.ts';

/** What a look through a whole data file found. */
export interface DataFacts {
  readonly schema: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly counts: BackupCounts;
  /** Where the evidence ends; every entry follows from the one before. */
  readonly evidence: { readonly entries: number; readonly hash: string };
}
