import type { SavedFile } from '../../shared/contract/agreements.ts';
import type { Failure } from '../../shared/errors.ts';

/**
 * Suffix of a file with the start of a rejected download. It is removed once the download is saved.
 */
export const REJECTED_SUFFIX = '.rejected';

/**
 * Suffix of a file whose content changed after it was saved; the changed file is kept next to its
 * replacement.
 */
export const CHANGED_SUFFIX = '.changed';

export interface Download {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Value of `Content-Length`; null if the header is missing. */
  readonly bytes: number | null;
}

/**
 * Function that checks the start and the end of written bytes (see `pdfShape`); it throws to reject
 * them.
 */
export type AcceptBytes = (head: Uint8Array, tail: Uint8Array, bytes: number) => void;

/** A file that was written but does not have its final name yet. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Facts about the seal of a PDF, see `sealWord`; null for other files. */
  readonly seal: string | null;
}

export interface ReceivingSteps {
  /**
   * Whether the file must be a PDF: its structure is checked and a seal is searched for. Throws
   * 'service' if it is not a complete PDF.
   */
  readonly isPdf?: boolean;
  /** Called after each chunk with the length of the chunk. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Result of naming a file: `changedAt` of the file with its final name, as in `Files.statFile`, or
 * the failure.
 */
export type NamedFile =
  | { readonly failure: null; readonly changedAt: number | null }
  | { readonly failure: Failure };

/**
 * Kind of file system entry. A link to a folder is a folder. `other` stands for links to files,
 * devices, pipes and entries that cannot be inspected. A folder that macOS opens as an application
 * is a `program`.
 */
export type PathKind = 'folder' | 'file' | 'program' | 'other' | 'nothing';

export interface Files {
  /**
   * Normalises an absolute local path; null for a relative path, a share (`\\\\server`), a device
   * or an address with a scheme. Does not access the file system.
   */
  resolveLocal(text: string): string | null;
  /** Kind of the entry at a path that `resolveLocal` returned. */
  kindOf(path: string): Promise<PathKind>;
  /**
   * Writes `<name>.part` next to the target while hashing, checks it with `accept`, flushes file
   * and folder, and renames it. Never overwrites a file. Throws 'storage' with the reason.
   */
  saveNew(
    path: string,
    download: Download,
    accept: AcceptBytes,
    signal: AbortSignal,
  ): Promise<SavedFile>;
  /**
   * First half of `saveNew`: leaves the complete `.part` file on disk, to be renamed later. Removes
   * the `.part` file after a failure or an abort. The caller must know that the name is free.
   */
  receivePart(
    path: string,
    download: Download,
    accept: AcceptBytes,
    signal: AbortSignal,
    steps: ReceivingSteps,
  ): Promise<WrittenFile>;
  /**
   * Second half of `saveNew`, for many files: renames the `.part` of each path, never over an
   * existing file, then flushes each folder once. Returns one result per path, in the same order.
   * If a file with the name exists ('conflict'), the `.part` file is removed; after any other
   * failure it stays for `continuePart`.
   */
  nameParts(paths: readonly string[]): Promise<readonly NamedFile[]>;
  /**
   * Gives the `.part` file of the path its final name, if it has this content; false if there is no
   * such `.part` file. Throws 'conflict' if a file with the name exists.
   */
  continuePart(path: string, sha256: string): Promise<boolean>;
  dropPart(path: string): Promise<void>;
  /** Removes a file; a missing one is not an error. */
  drop(path: string): Promise<void>;
  /**
   * Renames a file by adding `CHANGED_SUFFIX`, and a number if that name is taken. Returns the new path.
   * Never overwrites a file.
   */
  setAside(path: string): Promise<string>;
  /** Reads a small text file. Throws 'storage', or 'invalid' with 'too-large'. */
  readText(path: string): Promise<string>;
  /**
   * Replaces a file atomically. If the process is killed, a temporary file remains: its name is
   * that of the file plus eight hexadecimal digits and `.tmp`.
   */
  replaceText(path: string, text: string | Uint8Array): Promise<void>;
  /**
   * Returns the names in a folder. With `mayMake`, creates the folder, but not its parent: throws
   * 'storage' with 'folder-missing' if the parent is missing. Throws 'folder-outside' if links lead
   * out of `within`; `within` itself may be a link.
   */
  prepareFolder(
    folder: string,
    mayMake?: boolean,
    within?: string | null,
  ): Promise<readonly string[]>;
  /** Returns the names in a folder, which may be read-only. Throws 'storage' with the reason. */
  listFolder(folder: string): Promise<readonly string[]>;
  /** Returns the SHA-256 of a file in hex, or null if the file does not exist. */
  hash(path: string): Promise<string | null>;
  /**
   * Returns the size of a file, and the system's time of the last change of its content, name or
   * permissions; null if the file does not exist. As long as size and time stay the same, the
   * content is unchanged.
   */
  statFile(path: string): Promise<{ readonly bytes: number; readonly changedAt: number } | null>;
  /**
   * Yields the path of every file below a folder, relative to the folder and with `/` as separator.
   * Throws 'storage'.
   */
  walk(folder: string): AsyncIterable<string>;
  chunks(path: string): AsyncIterable<Uint8Array>;
  join(folder: string, name: string): string;
  folderOf(path: string): string;
}
