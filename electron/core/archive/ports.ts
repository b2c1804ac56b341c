import type { SavedFile } from '../../../shared/contract/agreements.ts';
import type {
  ArchiveBeside,
  ArchiveFinding,
  ArchiveItem,
  ArchiveRule,
  ArchiveRuleId,
  ArchiveRuleRun,
} from '../../../shared/contract/archive.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { RuleStore } from '../rules/ports.ts';

/** A signed PDF that was saved. What is null was not looked for when it was saved. */
export interface ArchivedPdf extends SavedFile {
  /** Of the file, by the system, when its content was last known; see `Files.look`. */
  readonly changedAt: number | null;
  /** See `sealWord`. */
  readonly seal: string | null;
}

/** A PDF that was just saved. */
export interface RecordedPdf extends ArchivedPdf {
  readonly savedAt: number;
}

/** A file beside the PDF, or the copy of an agreement that not everybody signed. */
export interface ArchivedExtra extends SavedFile {
  readonly kind: ArchiveBeside | 'unsigned';
  /** Tells several of one kind apart. */
  readonly name: string;
  readonly savedAt: number;
}

/** A file that a run is about to write: found again when the run is killed. */
export interface ArchiveWork {
  /** The final name; `.part` stands beside it. */
  readonly file: string;
  readonly key: AgreementKey;
  /** Set once the part is whole. */
  readonly whole: {
    readonly bytes: number;
    readonly sha256: string;
    readonly seal: string | null;
  } | null;
}

/** A PDF as it lies in one folder, with what was known of its agreement when it was saved. */
export interface PlacedPdf extends ArchivedPdf {
  readonly key: AgreementKey;
  readonly title: string;
  readonly parties: readonly string[] | null;
  readonly closedAt: number | null;
  readonly savedAt: number;
}

/** A part that came whole, and which name waits for it. */
type WholeFile = Pick<ArchiveWork, 'file'> & NonNullable<ArchiveWork['whole']>;

/** The lists of a folder as this computer wrote them, so that a later change is noticed. */
export interface ListMarks {
  /** Turn of the office in which they were written; null in a folder without turns. */
  readonly turn: number | null;
  /** SHA-256 by the name of the list; none for a list whose writing was cut off. */
  readonly hashes: Readonly<Record<string, string>>;
}

export interface ArchiveStore {
  list(connectionId: ConnectionId | undefined): readonly ArchiveItem[];
  /** The file saved last, in whatever folder. */
  saved(key: AgreementKey): ArchivedPdf | null;
  /** The same agreement may lie in the folders of several rules. */
  placed(folder: string, key: AgreementKey): ArchivedPdf | null;
  /** All that was saved into a folder, oldest first. */
  inFolder(folder: string): readonly PlacedPdf[];
  /** Also ends the work on that file. Without a folder it is noted in none. */
  record(
    key: AgreementKey,
    file: SavedFile & Partial<ArchivedPdf>,
    at: number,
    folder?: string,
  ): void;
  /** Another agreement whose file in this folder has this content. */
  sameContent(
    folder: string,
    key: AgreementKey,
    sha256: string,
  ): (AgreementKey & { readonly title: string }) | null;
  /** What was found when the files were read again. */
  noteFindings(
    findings: readonly {
      readonly key: AgreementKey;
      readonly file: string;
      readonly finding: ArchiveFinding;
    }[],
    at: number,
  ): void;
  /** The same for many, in one commit; gives those whose agreement is not known any more. */
  recordAll(
    files: readonly (RecordedPdf & { readonly key: AgreementKey })[],
    folder: string,
  ): readonly AgreementKey[];
  extras(
    folder: string,
    key?: AgreementKey,
  ): readonly (ArchivedExtra & { readonly key: AgreementKey })[];
  recordExtra(folder: string, key: AgreementKey, extra: ArchivedExtra): void;
  /** Each of these takes as many as there are, in one commit. */
  readonly work: {
    list(): readonly ArchiveWork[];
    begin(works: readonly Pick<ArchiveWork, 'file' | 'key'>[]): void;
    whole(works: readonly WholeFile[]): void;
    end(files: readonly string[]): void;
  };
  /** Files that have other names on the disk now, with the same content. */
  renamed(folder: string, changes: readonly { readonly from: string; readonly to: string }[]): void;
  /** Null where none were written, or by an earlier version. */
  listMarks(folder: string): ListMarks | null;
  /** For a folder that holds an archive. */
  markLists(folder: string, marks: ListMarks): void;
  /** Whatever lies outside of the folder that it was saved into, by what is written here, was not saved there. */
  forgetStrays(): void;
  /** Nobody knows any more what its lists held. */
  forgetLists(folder: string): void;
  /** Whether anything was ever saved into this folder. */
  held(folder: string): boolean;
  /** Every folder that anything was ever saved into. */
  heldFolders(): readonly string[];
  holds(folder: string, at: number): void;
  readonly rules: ArchiveRuleStore;
}

/** A rule with what became of it. */
export interface StoredArchiveRule {
  readonly rule: ArchiveRule;
  readonly last: ArchiveRuleRun | null;
}

export interface ArchiveRuleStore extends RuleStore<ArchiveRuleId, ArchiveRule, StoredArchiveRule> {
  noteRun(id: ArchiveRuleId, run: ArchiveRuleRun): void;
}
