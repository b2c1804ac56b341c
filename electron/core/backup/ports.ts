import type { DataFacts } from '../copy-ports.ts';
import type { BackupManifest, BackupPlan, BackupRun } from '../../../shared/contract/backup.ts';

/** What backups are encrypted to, and what opens them once the phrase has opened it. */
export interface BackupKeys {
  /** A public key of age. */
  readonly recipient: string;
  /** The private one, encrypted by age under the phrase. */
  readonly wrapped: Uint8Array;
}

export interface StoredBackup extends BackupKeys {
  /** Eight hexadecimal digits that begin the names of this desk's backups. */
  readonly desk: string;
  readonly plan: BackupPlan;
  readonly setUpAt: number;
  readonly last: BackupRun | null;
  readonly good: { readonly at: number; readonly file: string; readonly bytes: number } | null;
}

export interface BackupStore {
  /** Null before a phrase was set up. */
  read(): StoredBackup | null;
  save(backup: StoredBackup): void;
  /** As before a phrase was set up. */
  remove(): void;
}

/** Copies of the data file, made and looked at beside the loop. They are encrypted like the file. */
export interface DataCopies {
  /** The raw key, in hex, that the data file and its copies open with. */
  readonly key: string;
  /** Where the copy lies: beside the data file. */
  readonly copy: string;
  /** Copies the data as it is at one moment, while the program works on; then reads every page. */
  take(signal: AbortSignal): Promise<DataFacts>;
  /** Removes the copy, also one that was not finished. */
  drop(): Promise<void>;
  /** What upgrades kept of the data as it was before them, oldest first. */
  beforeUpgrades(): readonly UpgradeCopy[];
  /** Reads every page of one of those. */
  inspect(file: string, signal: AbortSignal): Promise<DataFacts>;
}

/** A copy of the data as it was before an upgrade, under the same key. */
export interface UpgradeCopy {
  readonly file: string;
  /** Epoch milliseconds. */
  readonly takenAt: number;
}

export interface PackOrder {
  /** The part that is written: it must not exist. */
  readonly part: string;
  readonly keys: BackupKeys;
  readonly administrator: string | null;
  readonly manifest: BackupManifest;
  readonly secrets: BackupSecrets;
  /** The copy of the data file. */
  readonly database: string;
}

/** What a backup holds beside the data. */
export interface BackupSecrets {
  /** In hex. */
  readonly dataKey: string;
  /** By the names they have in the credential store. */
  readonly credentials: Readonly<Record<string, string>>;
}

export interface UnpackOrder {
  readonly file: string;
  readonly secret: string;
  /** Where its data file goes: it must not exist. */
  readonly into: string;
}

/** A backup that was decrypted to its last byte. */
export interface Unpacked {
  readonly manifest: BackupManifest;
  readonly secrets: BackupSecrets;
  readonly bytes: number;
}

/** Writes and reads the files of backups, beside the loop. */
export interface BackupFiles {
  newPhrase(): string;
  /** Throws 'invalid' with 'phrase-wrong'. */
  makeKeys(phrase: string): Promise<BackupKeys>;
  /** Throws 'invalid' with 'phrase-wrong' for a secret that does not open what these keys encrypt. */
  checkSecret(keys: BackupKeys, secret: string): Promise<void>;
  /** Throws 'invalid' for a text that is no public key of age. */
  checkRecipient(text: string): void;
  /**
   * Writes the part, flushes it, and reads it back: what it holds has the hash in the manifest.
   * `onBytes` hears how many were written and read. Whatever fails leaves the part for the caller.
   */
  pack(
    order: PackOrder,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: number }>;
  /**
   * Decrypts all of a backup, its data file into `into`. Throws 'invalid' with 'not-a-backup',
   * 'phrase-wrong', 'phrase-other' or 'key-wrong', 'storage' with 'backup-damaged', 'newer-data', 'not-found'. `onBytes` hears how
   * many were read.
   */
  unpack(
    order: UnpackOrder,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<Unpacked>;
}
