import type { IntakeRule, IntakeRuleId, IntakeRun } from '../../../shared/contract/intake.ts';
import type { RuleStore } from '../rules/ports.ts';

export interface StoredIntakeRule {
  readonly rule: IntakeRule;
  readonly last: IntakeRun | null;
}

export interface IntakeRuleStore extends RuleStore<IntakeRuleId, IntakeRule, StoredIntakeRule> {
  noteRun(id: IntakeRuleId, run: IntakeRun): void;
}

/** An imported file, by hashes. */
export interface ImportedFile {
  readonly folder: string;
  /** Hash of its bytes and its sidecar data. */
  readonly hash: string;
  readonly nameHash: string;
  /** Hash of the sidecar data with its file name and arrival time; null without sidecar data. */
  readonly dataHash: string | null;
}

/** Observed state of a file, and since when it is unchanged. */
export interface FileObservation {
  readonly nameHash: string;
  readonly bytes: number;
  readonly changedAt: number;
  readonly since: number;
}

export interface IntakeStore {
  readonly rules: IntakeRuleStore;
  /** Returns the imported file; null if no file with this hash was imported from this folder. */
  known(folder: string, hash: string): (ImportedFile & { readonly isMoved: boolean }) | null;
  /**
   * Records a file in one commit with what `make` stores: both or neither. Returns false, without
   * calling `make`, if any process has already imported it.
   */
  once(file: ImportedFile, make: () => void): boolean;
  /** Records that a known file came again, with this sidecar data. */
  again(file: ImportedFile): void;
  /** Records that the file was moved to `done`. */
  moved(folder: string, hash: string): void;
  /** Whether a file with this name was imported, first or again, with exactly this sidecar data. */
  isTaken(folder: string, nameHash: string, dataHash: string): boolean;
  sights(folder: string): readonly FileObservation[];
  /** Saves changed states, and removes those of missing names. */
  keepSights(folder: string, changed: readonly FileObservation[], gone: readonly string[]): void;
}

/** An entry of a watched folder; links are never followed. */
export interface FolderEntry {
  readonly name: string;
  /** `other`: a link, device, pipe or socket. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
  /** Modification time of the content (epoch ms), set by its writer. */
  readonly changedAt: number;
  /** Device and file number: another file with the same name has another identity. */
  readonly identity: string;
}

/**
 * Bytes and SHA-256 of a file, or why they are unavailable; `being-written`: changed or removed
 * since it was seen.
 */
export type FileBytes =
  | { readonly data: Uint8Array; readonly sha256: string; readonly why: null }
  | { readonly data: null; readonly why: 'being-written' | 'not-readable' };

/** A file and its content hash; null if the content was not read. */
export interface FileAsRead<Entry extends FolderEntry = FolderEntry> {
  readonly entry: Entry;
  readonly sha256: string | null;
}

/**
 * Result of a move. `gone`: another program removed the file. `replaced`: another file has its
 * name, or its content changed; that file stays in the watched folder, renamed if a newer file has
 * its name.
 */
export type MoveResult = 'moved' | 'gone' | 'replaced';

/** Operations on files of a watched folder only. */
export interface WatchedFolders {
  /**
   * Lists the entries. Throws 'storage' with 'folder-missing' if the folder or its drive is
   * missing.
   */
  list(folder: string): Promise<readonly FolderEntry[]>;
  /**
   * Reads an ordinary file, which must still be as in `seen` before and after the reading. Throws
   * 'storage' with 'folder-missing' if the drive was removed.
   */
  read(folder: string, seen: FolderEntry): Promise<FileBytes>;
  /**
   * Moves exactly the file that was read into a subfolder, under a free name; overwrites nothing.
   * Writes the note next to it first. Throws 'storage' with the reason, 'folder-outside' if that
   * subfolder is a link.
   */
  move(
    folder: string,
    file: FileAsRead,
    to: 'done' | 'refused',
    note: string | null,
  ): Promise<MoveResult>;
}
