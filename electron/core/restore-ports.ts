import type { RescueReport, RestoreRoom, UpgradeCopy } from '../../shared/contract/backup.ts';
import type { EvidenceHole } from '../../shared/contract/evidence.ts';
import type { DataFacts } from './copy-ports.ts';
import type { Stores, Vault } from './ports.ts';
import type { UpdateRecord } from './updates/ports.ts';
import type { ExternalState } from './external-state-ports.ts';

/** A data file that was taken out of a backup, as it lies in a folder of its own. */
export interface TakenOut {
  readonly file: string;
  /** The raw key, in hex. */
  readonly key: string;
}

/** A data file that may be damaged: nobody else has it open, and it is only read. */
export interface DamagedFile extends TakenOut {
  /** When it was written last, epoch milliseconds. */
  readonly writtenAt: number;
  readonly vault: Vault;
  free(): void;
}

/** What was read of one, before anything is counted. */
export type Salvage = Omit<RescueReport, 'isIntact' | 'counts'> & {
  /** Entries of the evidence that are missing between others. */
  readonly unread: readonly EvidenceHole[];
};

/** A private folder that is removed again. */
export interface Workplace {
  readonly file: string;
  remove(): Promise<void>;
}

/** A data folder that takes what a backup held. */
export interface RestoreTarget {
  readonly folder: string;
  readonly vault: Vault;
  /** Where the copy is prepared, within the folder: emptied of what a stopped restore left. */
  prepare(): Promise<Workplace>;
  /** Of the copy that is being prepared. */
  externalState(file: string): ExternalState;
  /** The key that the folder's data has or will have, in hex. */
  dataKey(): Promise<string>;
  /** What this computer knows of newer versions: of data that nobody wrote into; null where there is none. */
  updates(): Promise<UpdateRecord | null>;
  /** The prepared file gets its name; never over data that holds anything. */
  adopt(file: string): Promise<void>;
  /** The prepared file takes the place of the data, which is set aside as it is. Gives where. */
  replace(file: string): Promise<string>;
}

/** Opens copies that lie outside of any data folder. */
export interface RestorePlaces {
  /** Reads every page. Throws 'storage' with 'backup-damaged', or 'newer-data'. */
  inspect(copy: TakenOut, signal: AbortSignal): Promise<DataFacts>;
  /** Encrypts it anew. */
  changeKey(copy: TakenOut, key: string): Promise<void>;
  /** Brought to this program's version. */
  open(copy: TakenOut): { readonly stores: Stores; close(): void };
  /** For a look: outside of every data folder. */
  workplace(): Promise<Workplace>;
  /**
   * Null: the data folder of this program. Throws 'conflict' with 'folder-has-data', unless what is
   * there is to be replaced.
   */
  target(folder: string | null, isReplaced?: boolean): Promise<RestoreTarget>;
  /** Of the data folder of this program. */
  copies(): readonly UpgradeCopy[];
  /**
   * Its data file, or the copy of this name. Throws 'vault' where its key cannot be had, 'not-found',
   * and 'storage' with 'data-in-use'. `isHeld`: the caller holds the folder already.
   */
  damaged(copy: string | null, isHeld: boolean): Promise<DamagedFile>;
  /** Whether SQLite finds nothing wrong with any page, row or index. */
  isWhole(file: DamagedFile, signal: AbortSignal): Promise<boolean>;
  /** Everything that can be read, into a new file under the same key. */
  salvage(
    order: TakenOut & { readonly into: string; readonly now: number },
    onPages: (done: number, all: number) => void,
    signal: AbortSignal,
  ): Promise<Salvage>;
}

/** The desk of this program, as a restore meets it. */
export interface OwnDesk {
  room(): Promise<RestoreRoom>;
  /** Does it while nothing has the own data open, and opens again what was open. */
  whileClosed<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same; a window opens what it made of the own data. */
  renewed<Result>(work: () => Promise<Result>): Promise<Result>;
}
