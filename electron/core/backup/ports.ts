import type { DataFacts } from '../copy-ports.ts';
import type { BackupManifest, BackupPlan, BackupRun } from '../../../shared/contract/backup.ts';

/**
 * Keys of backups: the public key that encrypts them, and the private key, which the phrase opens.
 */
export interface BackupKeys {
  /** An age public key. */
  readonly recipient: string;
  /** The age private key, encrypted by age with the phrase. */
  readonly wrapped: Uint8Array;
}

export interface StoredBackup extends BackupKeys {
  /** Eight hexadecimal digits at the start of this computer's backup names. */
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
  /** Returns to the state before a phrase was set up. */
  remove(): void;
}

/**
 * Copies of the data file, made and checked on another thread. They are encrypted like the data
 * file.
 */
export interface DataCopies {
  /** Raw key (hex) of the data file and its copies. */
  readonly key: string;
  /** Path of the copy, next to the data file. */
  readonly copy: string;
  /** Copies a snapshot of the data while the program keeps running, then reads every page. */
  take(signal: AbortSignal): Promise<DataFacts>;
  /** Removes the copy, even an unfinished one. */
  drop(): Promise<void>;
  /** Copies made before upgrades, oldest first. */
  beforeUpgrades(): readonly UpgradeCopy[];
  /** Reads every page of such a copy. */
  inspect(file: string, signal: AbortSignal): Promise<DataFacts>;
}

/** A copy of the data from before an upgrade, with the same key. */
export interface UpgradeCopy {
  readonly file: string;
  /** Epoch milliseconds. */
  readonly takenAt: number;
}

export interface PackOrder {
  /** Part file to write; it must not exist. */
  readonly part: string;
  readonly keys: BackupKeys;
  readonly administrator: string | null;
  readonly manifest: BackupManifest;
  readonly secrets: BackupSecrets;
  readonly database: string;
}

/** Contents of a backup besides the data. */
export interface BackupSecrets {
  /** Hex. */
  readonly dataKey: string;
  /** By their names in the credential store. */
  readonly credentials: Readonly<Record<string, string>>;
}

export interface UnpackOrder {
  readonly file: string;
  readonly secret: string;
  /** Path for its data file; it must not exist. */
  readonly into: string;
}

/** A backup that was decrypted to its last byte. */
export interface Unpacked {
  readonly manifest: BackupManifest;
  readonly secrets: BackupSecrets;
  readonly bytes: number;
}

/** Writes and reads backup files on another thread. */
export interface BackupFiles {
  newPhrase(): string;
  /** Throws 'invalid' with 'phrase-wrong'. */
  makeKeys(phrase: string): Promise<BackupKeys>;
  /** Throws 'invalid' with 'phrase-wrong' if the secret does not match these keys. */
  checkSecret(keys: BackupKeys, secret: string): Promise<void>;
  /** Throws 'invalid' if the text is not an age public key. */
  checkRecipient(text: string): void;
  /**
   * Writes the part, flushes it, reads it back and compares it with the hash in the manifest.
   * `onBytes` receives the bytes written and read. On failure the part is left to the caller.
   */
  pack(
    order: PackOrder,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: number }>;
  /**
   * Decrypts all of a backup, its data file into `into`. Throws 'invalid' with 'not-a-backup',
   * 'phrase-wrong', 'phrase-other' or 'key-wrong', 'storage' with 'backup-damaged', 'newer-data',
   * 'not-found'. `onBytes` receives the bytes read.
   */
  unpack(
    order: UnpackOrder,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<Unpacked>;
}
