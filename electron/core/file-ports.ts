import type { SavedFile } from '../../shared/contract/agreements.ts';
import type { Failure } from '../../shared/errors.ts';

/** Behind the name of a file: how what came in its place begins. Removed once the file is saved. */
export const REJECTED = '.rejected';

/** Behind the name of a file that was not as it was saved: kept beside the one that took its place. */
export const CHANGED = '.changed';

export interface Download {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** From Content-Length, when given. */
  readonly bytes: number | null;
}

/** Looks at how what was written begins and ends (see `pdfShape`); throws when it must not be kept. */
export type AcceptBytes = (head: Uint8Array, tail: Uint8Array, bytes: number) => void;

/** A file as it was written, before it has its name. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
  /** What is known of a PDF's seal, see `sealWord`; null for other files. */
  readonly seal: string | null;
}

export interface ReceivingSteps {
  /** Checks the structure and looks for a seal, too; throws 'service' when it is no whole PDF. */
  readonly isPdf?: boolean;
  /** After each piece, with its length. */
  readonly onBytes?: (bytes: number) => void;
}

/** A file that has its name now, with the `changedAt` of `Files.statFile`; or why it has none. */
export type NamedFile =
  | { readonly failure: null; readonly changedAt: number | null }
  | { readonly failure: Failure };

/**
 * What a path names. A link to a folder is a folder; a link to a file, a device, a pipe, and what
 * cannot be looked at are `other`. A folder that a Mac starts as a program is a `program`.
 */
export type PathKind = 'folder' | 'file' | 'program' | 'other' | 'nothing';

export interface Files {
  /**
   * The path in the form the system writes it, when it is absolute and on this computer; null for a
   * relative one, a share (`\\\\server`), a device, an address with a scheme. Nothing is looked at.
   */
  resolveLocal(text: string): string | null;
  /** What lies at a path that `resolveLocal` gave. */
  kindOf(path: string): Promise<PathKind>;
  /**
   * Writes `<name>.part` beside the target while hashing, checks it with `accept`, flushes file and
   * folder, and renames; never over an existing file. Throws 'storage' with the reason.
   */
  saveNew(
    path: string,
    download: Download,
    accept: AcceptBytes,
    signal: AbortSignal,
  ): Promise<SavedFile>;
  /**
   * The first half of that: the `.part` is whole and on the disk then, and waits for its name. What
   * fails, or is stopped, leaves none. The name must be known to be free.
   */
  receivePart(
    path: string,
    download: Download,
    accept: AcceptBytes,
    signal: AbortSignal,
    steps: ReceivingSteps,
  ): Promise<WrittenFile>;
  /**
   * The second half, for many: gives each path the `.part` beside it, never over an existing file,
   * then flushes each folder once. Gives a result for each, in their order. Where something else has the name
   * ('conflict') the part is removed; after another failure it is left for `continuePart`.
   */
  nameParts(paths: readonly string[]): Promise<readonly NamedFile[]>;
  /** Gives a `.part` with this content its name; false when there is none. Throws 'conflict'. */
  continuePart(path: string, sha256: string): Promise<boolean>;
  dropPart(path: string): Promise<void>;
  /** Removes a file that may be gone already. */
  drop(path: string): Promise<void>;
  /**
   * Moves a file aside under its name with `CHANGED` behind it, with a number where that is taken; gives
   * the new path. Never over another file.
   */
  setAside(path: string): Promise<string>;
  /** A small text file, whole. Throws 'storage', or 'invalid' with 'too-large'. */
  readText(path: string): Promise<string>;
  /**
   * Writes a whole text file atomically, over an older one. Killed before its end it leaves a file
   * with eight hexadecimal digits and `.tmp` behind the name.
   */
  replaceText(path: string, text: string | Uint8Array): Promise<void>;
  /**
   * Names in a folder, which is made when only it is missing and may be made. Throws 'storage' with
   * 'folder-missing' when the one around it is missing, too, and with 'folder-outside' when it must
   * lie within another, and links lead out of it. That other one may itself be a link.
   */
  prepareFolder(
    folder: string,
    mayMake?: boolean,
    within?: string | null,
  ): Promise<readonly string[]>;
  /** SHA-256 in hex, or null when there is no such file. */
  hash(path: string): Promise<string | null>;
  /**
   * Size and the time of the last change of content, name or rights, by the system; null when there
   * is no such file. While both stay, so does the content.
   */
  statFile(path: string): Promise<{ readonly bytes: number; readonly changedAt: number } | null>;
  /** Every file below a folder, relative, with `/`. Throws 'storage'. */
  walk(folder: string): AsyncIterable<string>;
  chunks(path: string): AsyncIterable<Uint8Array>;
  join(folder: string, name: string): string;
  folderOf(path: string): string;
}
