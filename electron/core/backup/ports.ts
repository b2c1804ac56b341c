import type { DataFacts } from '../copy-ports.ts';
import type { BackupManifest, BackupPlan, BackupRun } from '../../../shared/contract/backup.ts';

/**
 * Keys of backups: the public key that encrypts them, and the private key, which the phrase opens.
 */
export interface BackupKeys {
  /** Public key (age). */
  readonly recipient: string;
  /** Private key (age), encrypted by age with the phrase. */
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
  /** Returns the settings of backups; null before a phrase was set up. */
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
  /** Reads every page of a copy made before an upgrade. */
  inspect(file: string, signal: AbortSignal): Promise<DataFacts>;
}

/** A copy of the data from before an upgrade, with the same key. */
export interface UpgradeCopy {
  readonly file: string;
  /** Time of the copy (epoch ms). */
  readonly takenAt: number;
}

export interface PackParameters {
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
  /** Raw key of the data file (hex). */
  readonly dataKey: string;
  /** Credentials by their names in the credential store. */
  readonly credentials: Readonly<Record<string, string>>;
}

export interface UnpackParameters {
  readonly file: string;
  readonly secret: string;
  /** Path for the data file of the backup; it must not exist. */
  readonly into: string;
}

/** A backup that was decrypted to its last byte. */
export interface UnpackedBackup {
  readonly manifest: BackupManifest;
  readonly secrets: BackupSecrets;
  readonly bytes: number;
}

/** Writes and reads backup files on another thread. */
export interface BackupFiles {
  newPhrase(): Promise<string>;
  /** Makes keys that the phrase opens. Throws 'invalid' with 'phrase-wrong'. */
  makeKeys(phrase: string): Promise<BackupKeys>;
  /**
   * Checks that the secret is the phrase of these keys; the text of a key file is not checked.
   * Throws 'invalid' with 'phrase-wrong' or 'phrase-other'.
   */
  checkSecret(keys: BackupKeys, secret: string): Promise<void>;
  /** Throws 'invalid' if the text is not an age public key. */
  checkRecipient(text: string): Promise<void>;
  /**
   * Writes the part file, flushes it, reads it back and compares it with the hash in the manifest.
   * `onBytes` receives the number of bytes written and read. On failure, the caller removes the
   * part file.
   */
  pack(
    order: PackParameters,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: number }>;
  /**
   * Decrypts a backup to its last byte, and writes its data file to `into`. Throws 'invalid' with
   * 'not-a-backup', 'phrase-wrong', 'phrase-other' or 'key-wrong'; 'storage' with 'backup-damaged';
   * 'newer-data'; 'not-found'. `onBytes` receives the number of bytes read.
   */
  unpack(
    order: UnpackParameters,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<UnpackedBackup>;
}
