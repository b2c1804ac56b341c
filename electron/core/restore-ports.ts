import type {
  RescueReport,
  RestoreTargetFolder,
  UpgradeCopy,
} from '../../shared/contract/backup.ts';
import type { MissingEvidenceRange } from '../../shared/contract/evidence.ts';
import type { DataFacts } from './copy-ports.ts';
import type { Stores, Vault } from './ports.ts';
import type { UpdateRecord } from './updates/ports.ts';
import type { ExternalState } from './external-state-ports.ts';

/** A data file extracted from a backup into a folder of its own. */
export interface ExtractedDataFile {
  readonly file: string;
  /** Raw key of the data file, in hex. */
  readonly key: string;
}

/** A possibly damaged data file, locked against other processes and read-only. */
export interface DamagedFile extends ExtractedDataFile {
  /** Time of the last write (epoch ms). */
  readonly writtenAt: number;
  readonly vault: Vault;
  free(): void;
}

/** Data read from a damaged file, before counting. */
export type SalvageReport = Omit<RescueReport, 'isIntact' | 'counts'> & {
  /** Gaps in the evidence: ranges of entries that are missing between existing ones. */
  readonly unread: readonly MissingEvidenceRange[];
};

/** A private temporary folder. */
export interface RestoreWorkspace {
  readonly file: string;
  remove(): Promise<void>;
}

export interface RestoreTarget {
  readonly folder: string;
  readonly vault: Vault;
  /**
   * Creates the working folder for the copy, within the target. Removes what an interrupted restore
   * left in the target.
   */
  prepare(): Promise<RestoreWorkspace>;
  externalState(file: string): ExternalState;
  /** Returns the key (hex) that the folder's data has or will have. */
  dataKey(): Promise<string>;
  /**
   * Returns the update record of the data file in the target folder, if that data was never used;
   * null if there is no such record.
   */
  updates(): Promise<UpdateRecord | null>;
  /** Renames the prepared file to the data file. Never replaces data that is not empty. */
  adopt(file: string): Promise<void>;
  /**
   * Replaces the data with the prepared file and moves the old data into a new folder. Returns this
   * folder.
   */
  replace(file: string): Promise<string>;
}

/** Opens copies that are outside of any data folder. */
export interface RestorePlaces {
  /**
   * Checks a copy by reading every page. Throws 'storage' with 'backup-damaged', or 'newer-data'.
   */
  inspect(copy: ExtractedDataFile, signal: AbortSignal): Promise<DataFacts>;
  /** Encrypts the copy again with this key. */
  changeKey(copy: ExtractedDataFile, key: string): Promise<void>;
  /** Opens the copy, migrated to the version of this program. */
  open(copy: ExtractedDataFile): { readonly stores: Stores; close(): void };
  /** Creates a temporary folder for inspection, outside of every data folder. */
  workplace(): Promise<RestoreWorkspace>;
  /**
   * Returns the target of a restore; with `folder` null, this is the data folder of this program.
   * Throws 'conflict' with 'folder-has-data' if the folder has data and `isReplaced` is false.
   */
  target(folder: string | null, isReplaced?: boolean): Promise<RestoreTarget>;
  copies(): readonly UpgradeCopy[];
  /**
   * Opens the data file if `copy` is null, otherwise the copy with this name. Throws 'vault' if its
   * key is not available, 'not-found', and 'storage' with 'data-in-use'. `isHeld`: the caller
   * already holds the folder.
   */
  damaged(copy: string | null, isHeld: boolean): Promise<DamagedFile>;
  /** Whether SQLite finds no fault in any page, row or index. */
  isWhole(file: DamagedFile, signal: AbortSignal): Promise<boolean>;
  /** Copies everything that is readable into a new file with the same key. */
  salvage(
    order: ExtractedDataFile & { readonly into: string; readonly now: number },
    onPages: (done: number, all: number) => void,
    signal: AbortSignal,
  ): Promise<SalvageReport>;
}

/** This program's own data folder, as a restore needs it. */
export interface OwnDataAccess {
  room(): Promise<RestoreTargetFolder>;
  /**
   * Runs `work` while the program's own data is closed; if data was open before, it is opened
   * again.
   */
  whileClosed<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Like `whileClosed`, but a window then opens the program's own data, which `work` created. */
  renewed<Result>(work: () => Promise<Result>): Promise<Result>;
}
