import type { SavedFile } from '../../../shared/contract/agreements.ts';
import type {
  ArchiveExtraFile,
  ArchiveFinding,
  ArchiveItem,
  ArchiveRule,
  ArchiveRuleId,
  ArchiveRuleRun,
} from '../../../shared/contract/archive.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { RuleStore } from '../rules/ports.ts';

/** A saved, signed PDF. Null values were not determined when it was saved. */
export interface ArchivedPdf extends SavedFile {
  /** Change time by the system when the content was last verified; see `Files.statFile`. */
  readonly changedAt: number | null;
  /** Facts about the seal of the PDF; see `sealWord`. */
  readonly seal: string | null;
}

export interface RecordedPdf extends ArchivedPdf {
  readonly savedAt: number;
}

/** A sidecar file, or the copy of an agreement that not everyone signed. */
export interface ArchivedExtra extends SavedFile {
  readonly kind: ArchiveExtraFile | 'unsigned';
  /** Name that distinguishes several files of one kind. */
  readonly name: string;
  readonly savedAt: number;
}

/**
 * Record of a file that a run is about to write, by which the next run finds the file if this run
 * is killed.
 */
export interface ArchiveWork {
  /** Final path; the `.part` file is next to it. */
  readonly file: string;
  readonly key: AgreementKey;
  /** Facts about the complete part; null until the part is complete. */
  readonly whole: {
    readonly bytes: number;
    readonly sha256: string;
    readonly seal: string | null;
  } | null;
}

/** A PDF in one archive folder, with the agreement's data at the time of saving. */
export interface PlacedPdf extends ArchivedPdf {
  readonly key: AgreementKey;
  readonly title: string;
  readonly parties: readonly string[] | null;
  readonly closedAt: number | null;
  readonly savedAt: number;
}

/** An item of the archive's list, without the facts that depend on all archive folders. */
export type StoredArchiveItem = Omit<ArchiveItem, 'folder' | 'isElsewhere' | 'copyFolder'>;

/** A complete part and its final path. */
type CompleteFile = Pick<ArchiveWork, 'file'> & NonNullable<ArchiveWork['whole']>;

/** Hashes of the lists as this computer wrote them, to detect later changes. */
export interface ListMarks {
  /** Number of the office turn in which the lists were written; null in a folder without turns. */
  readonly turn: number | null;
  /** SHA-256 by list name. A list is absent if its writing was interrupted. */
  readonly hashes: Readonly<Record<string, string>>;
}

export interface ArchiveStore {
  list(connectionId: ConnectionId | undefined): readonly StoredArchiveItem[];
  /** Returns the PDF of the agreement that was saved last, in any folder. */
  saved(key: AgreementKey): (ArchivedPdf & { readonly finding: ArchiveFinding | null }) | null;
  /**
   * Returns the PDF of the agreement in this folder; an agreement may be in the folders of several
   * rules.
   */
  placed(folder: string, key: AgreementKey): ArchivedPdf | null;
  /** Returns all PDFs saved into a folder, oldest first. */
  inFolder(folder: string): readonly PlacedPdf[];
  /**
   * Records a saved file and removes the record of the work on it. Without `folder`, the file is
   * recorded for no folder.
   */
  record(
    key: AgreementKey,
    file: SavedFile & Partial<ArchivedPdf>,
    at: number,
    folder?: string,
  ): void;
  /** Returns another agreement whose file in this folder has the same content. */
  sameContent(
    folder: string,
    key: AgreementKey,
    sha256: string,
  ): (AgreementKey & { readonly title: string }) | null;
  /**
   * Records the results of a verification of this folder. The next run reads a changed or missing
   * file again, even if its size and change time are as recorded: it may have been unreadable.
   */
  noteFindings(
    folder: string,
    findings: readonly {
      readonly key: AgreementKey;
      readonly file: string;
      readonly finding: ArchiveFinding;
    }[],
    at: number,
  ): void;
  /**
   * Records many files as `record` does, in one commit; returns the keys of agreements that no
   * longer exist.
   */
  recordAll(
    files: readonly (RecordedPdf & { readonly key: AgreementKey })[],
    folder: string,
  ): readonly AgreementKey[];
  extras(
    folder: string,
    key?: AgreementKey,
  ): readonly (ArchivedExtra & { readonly key: AgreementKey })[];
  recordExtra(folder: string, key: AgreementKey, extra: ArchivedExtra): void;
  /** Files that a run is about to write. Each method handles all its arguments in one commit. */
  readonly work: {
    list(): readonly ArchiveWork[];
    begin(works: readonly Pick<ArchiveWork, 'file' | 'key'>[]): void;
    whole(works: readonly CompleteFile[]): void;
    end(files: readonly string[]): void;
  };
  /** Records new disk names of files with unchanged content. */
  renamed(folder: string, changes: readonly { readonly from: string; readonly to: string }[]): void;
  /**
   * Returns the hashes of the lists; null if no lists were written, or only by an earlier version.
   */
  listMarks(folder: string): ListMarks | null;
  /** Records the hashes of the lists; only for a folder that holds an archive. */
  markLists(folder: string, marks: ListMarks): void;
  /** Removes records of files whose paths are outside the folder they were recorded for. */
  forgetStrays(): void;
  /** Marks the contents of the folder's lists as unknown. */
  forgetLists(folder: string): void;
  /** Whether an archive was ever started in this folder. */
  held(folder: string): boolean;
  heldFolders(): readonly string[];
  holds(folder: string, at: number): void;
  readonly rules: ArchiveRuleStore;
}

export interface StoredArchiveRule {
  readonly rule: ArchiveRule;
  readonly last: ArchiveRuleRun | null;
}

export interface ArchiveRuleStore extends RuleStore<ArchiveRuleId, ArchiveRule, StoredArchiveRule> {
  noteRun(id: ArchiveRuleId, run: ArchiveRuleRun): void;
}
