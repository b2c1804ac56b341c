import type { BackupCounts } from '../../shared/contract/backup.ts';

/** Result of checking a complete data file. */
export interface DataFacts {
  readonly schema: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly counts: BackupCounts;
  /** Number of evidence entries and hash of the last one; the chain of hashes is unbroken. */
  readonly evidence: { readonly entries: number; readonly hash: string };
}
