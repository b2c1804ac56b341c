import type { IntakeRule, IntakeRuleId, IntakeRun } from '../../../shared/contract/intake.ts';
import type { RuleStore } from '../rules/ports.ts';

/** A rule with how it went last. */
export interface StoredIntakeRule {
  readonly rule: IntakeRule;
  readonly last: IntakeRun | null;
}

export interface IntakeRuleStore extends RuleStore<IntakeRuleId, IntakeRule, StoredIntakeRule> {
  noteRun(id: IntakeRuleId, run: IntakeRun): void;
}

/** A file that is taken, by hashes. */
export interface ImportedFile {
  readonly folder: string;
  /** Of its bytes and of the data beside it. */
  readonly hash: string;
  readonly nameHash: string;
  /** Of the data beside it and of the file that says it, as that came; null where nothing lay beside it. */
  readonly dataHash: string | null;
}

/** A file as it was seen, and since when it stays so. */
export interface Sight {
  readonly nameHash: string;
  readonly bytes: number;
  readonly changedAt: number;
  readonly since: number;
}

export interface IntakeStore {
  readonly rules: IntakeRuleStore;
  /** Null where no such file was taken in this folder. */
  known(folder: string, hash: string): (ImportedFile & { readonly isMoved: boolean }) | null;
  /**
   * Notes a file in one commit with what `make` stores of it: both or neither. False, and nothing
   * is made, where it is known already, whoever took it.
   */
  once(file: ImportedFile, make: () => void): boolean;
  /** Notes that a file which is known came again, with this beside it. */
  again(file: ImportedFile): void;
  /** The file lies in `done`. */
  moved(folder: string, hash: string): void;
  /** Whether a file of this name was taken, first or again, with exactly this beside it. */
  isTaken(folder: string, nameHash: string, dataHash: string): boolean;
  sights(folder: string): readonly Sight[];
  /** Writes those that changed, and forgets those of names that are gone. */
  keepSights(folder: string, changed: readonly Sight[], gone: readonly string[]): void;
}

/** What lies in a watched folder; a link is never followed. */
export interface FolderEntry {
  readonly name: string;
  /** A link, a device, a pipe and a socket are `other`. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
  /** When its content changed last, epoch milliseconds, by whoever wrote it. */
  readonly changedAt: number;
  /** Device and number of the file there: another file of the same name has another one. */
  readonly identity: string;
}

/**
 * The bytes of a file with their SHA-256, or why they are not to be had now; `being-written` is one that
 * changed, or was taken away, since it was seen.
 */
export type FileBytes =
  | { readonly data: Uint8Array; readonly sha256: string; readonly why: null }
  | { readonly data: null; readonly why: 'being-written' | 'not-readable' };

/** A file with what was read of it; `sha256` is null where its content was not read. */
export interface FileAsRead<Entry extends FolderEntry = FolderEntry> {
  readonly entry: Entry;
  readonly sha256: string | null;
}

/**
 * `gone`: another program took the file away. `replaced`: another file has its name, or its content
 * changed; that file is in the watched folder, under another name where a newer file has its own.
 */
export type Moved = 'moved' | 'gone' | 'replaced';

/** What is done with the files of a watched folder, and nowhere else. */
export interface WatchedFolders {
  /** Throws 'storage' with 'folder-missing' when the folder or its drive is not there. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  /**
   * Reads an ordinary file, which must be as it was seen before and after. Throws 'storage' with
   * 'folder-missing' when the drive went away.
   */
  read(folder: string, seen: FolderEntry): Promise<FileBytes>;
  /**
   * Moves the file that was read, and no other, into a folder in it, under a name that is free
   * there; nothing is written over. A note is written beside it first. Throws 'storage' with the
   * reason, 'folder-outside' where that folder is a link.
   */
  move(
    folder: string,
    file: FileAsRead,
    to: 'done' | 'refused',
    note: string | null,
  ): Promise<Moved>;
}
