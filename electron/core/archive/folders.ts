import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  fileName,
  foldName,
  folderNames,
  tokensWithOldId,
  nameStem,
  type NameTokens,
} from '../../../shared/rules/files/file-name.ts';
import { FOLDER_MARK } from '../../../shared/rules/office/folder-mark.ts';
import { toComposedName, DiskNames } from './disk-names.ts';
import { ARCHIVE_LISTS } from './lists.ts';
import { REJECTED_SUFFIX } from '../file-ports.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import type { ArchiveStore, Files, KnownConnection } from '../ports.ts';

/** Subfolders by environment: test and demo agreements must not be mixed with real ones. */
const environmentFolders = { production: null, test: 'TEST', demo: 'DEMO' } as const;

/** Number of name variants: the plain name, with the short ID, and with the full ID. */
const NAME_VARIANT_COUNT = 3;

interface FolderNames {
  readonly folder: string;
  readonly taken: Set<string>;
  /** Names on the disk, by composed form. */
  readonly found: ReadonlyMap<string, string>;
}

export interface FilePlace {
  readonly file: string;
  /**
   * Existing file with a possible name of the PDF that no agreement has; it may be the wanted PDF.
   * Null if there is none.
   */
  readonly twin: string | null;
  /** File with the rejected answer that came instead of the PDF; null if there is none. */
  readonly rejected: string | null;
  /**
   * Whether a file with this name exists and differs from its saved content. It is set aside once
   * the new file is complete.
   */
  readonly replaces: boolean;
}

/** Folders of one run, created on demand, with the names used in them. */
export class ArchiveFolders {
  /** Path of the archive folder as the system spells it. */
  readonly root: string;
  readonly #files: Files;
  readonly #store: ArchiveStore;
  readonly #run: ArchiveRun;
  readonly #connections: ReadonlyMap<ConnectionId, KnownConnection>;
  /**
   * Names in each folder, read on first use: by then, leftovers of a killed run have been cleaned
   * up.
   */
  readonly #folders = new Map<string, Promise<FolderNames>>();
  #known: Set<string> | null = null;
  #names: Promise<DiskNames> | null = null;

  constructor(
    files: Files,
    store: ArchiveStore,
    run: ArchiveRun,
    connections: ReadonlyMap<ConnectionId, KnownConnection>,
  ) {
    this.#files = files;
    this.#store = store;
    this.#run = run;
    this.#connections = connections;
    this.root = rootOf(run.folder, files);
  }

  /**
   * Opens the archive folder. If the folder had an archive, throws 'storage' with 'folder-missing'
   * if the folder is gone, and with 'archive-gone' if it is empty and the run is not `anew`. The
   * drive was probably disconnected, so the folder is not created or filled again.
   */
  async open(): Promise<void> {
    const wasHeld = this.wasHeld();
    const names = await this.#files.prepareFolder(this.root, !wasHeld);
    if (wasHeld && this.#run.anew !== true && !names.some((name) => ARCHIVE_LISTS.has(name))) {
      const message =
        'The archive that was in this folder is missing. Check that its drive is connected';
      throw new AppError('storage', message, { reason: 'archive-gone' });
    }
    await this.#sweep(this.root, names);
  }

  /** Returns the names of the files in the folder, as they were at the first call. */
  names(): Promise<DiskNames> {
    this.#names ??= DiskNames.below(this.#files, this.root);
    return this.#names;
  }

  /**
   * Whether an archive was ever started in this folder; if so, a missing folder is not created
   * again.
   */
  wasHeld(): boolean {
    return this.#store.held(this.root);
  }

  /** Returns the folder for this agreement; creates nothing. */
  placeFor(agreement: Agreement, tokens: NameTokens): string {
    return this.#chain(agreement, tokens).at(-1) ?? this.root;
  }

  /** Creates the folder and reserves a unique name in it. */
  async nameFor(agreement: Agreement, tokens: NameTokens, pattern: string): Promise<FilePlace> {
    let inFolder = await this.#inFolder(this.root);
    for (const folder of this.#chain(agreement, tokens)) inFolder = await this.#inFolder(folder);
    const { taken, found, folder } = inFolder;
    const counted = { ...tokens, counter: taken.size + 1 };
    const name = fileName(pattern, counted, taken);
    taken.add(foldName(name));
    const twin =
      [...possibleNames(pattern, counted), ...formerNames(pattern, counted)]
        .flatMap((one) => found.get(toComposedName(one)) ?? [])
        .map((one) => this.#files.join(folder, one))
        .find((one) => !this.#knownFiles().has(one)) ?? null;
    const file = this.#files.join(folder, name);
    const rejected = found.get(toComposedName(`${name}${REJECTED_SUFFIX}`));
    return {
      file,
      twin,
      rejected: rejected === undefined ? null : this.#files.join(folder, rejected),
      replaces: false,
    };
  }

  /** Reserves the name of a missing file again; returns false if another file uses the name now. */
  async takeAgain(file: string): Promise<boolean> {
    const name = foldName(baseName(file, this.#files));
    const inside = relativeTo(this.root, file)?.split('/').slice(0, -1) ?? [];
    let inFolder = await this.#inFolder(this.root);
    for (const part of inside) {
      inFolder = await this.#inFolder(this.#files.join(inFolder.folder, part));
    }
    if (inFolder.taken.has(name)) return false;
    inFolder.taken.add(name);
    return true;
  }

  /**
   * Records that an existing file belongs to an agreement, so that no other agreement can claim it.
   */
  take(file: string): void {
    this.#knownFiles().add(file);
  }

  #knownFiles(): Set<string> {
    this.#known ??= new Set(this.#store.inFolder(this.root).map(({ file }) => file));
    return this.#known;
  }

  /** Returns the names used in an existing folder; the caller may add to the set. */
  async takenIn(folder: string): Promise<Set<string>> {
    return (await this.#inFolder(folder)).taken;
  }

  /** Returns the folders from below the root down to the target folder. */
  #chain({ connectionId }: Agreement, tokens: NameTokens): readonly string[] {
    const environment = this.#connections.get(connectionId)?.environment;
    const first = environment === undefined ? null : environmentFolders[environment];
    const names = folderNames(this.#run.subfolder ?? '', tokens);
    const chain: string[] = [];
    for (const name of first === null ? names : [first, ...names]) {
      chain.push(this.#files.join(chain.at(-1) ?? this.root, name));
    }
    return chain;
  }

  #inFolder(folder: string): Promise<FolderNames> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const mayMake = folder !== this.root;
    const opening = this.#files
      .prepareFolder(folder, mayMake, mayMake ? this.root : null)
      .then((names) => this.#sweep(folder, names));
    this.#folders.set(folder, opening);
    return opening;
  }

  /** Removes the temporary files of a killed run from a folder. */
  async #sweep(folder: string, names: readonly string[]): Promise<FolderNames> {
    const left = names.filter(isLeftoverTempFile);
    for (const name of left) await this.#files.drop(this.#files.join(folder, name));
    return namesIn(folder, names);
  }
}

/**
 * Returns the names that the file can have. Another computer may have used a longer name because
 * the short one was then in use, for example by an unfinished file of this computer.
 */
function possibleNames(pattern: string, tokens: NameTokens): readonly string[] {
  const names: string[] = [];
  for (let count = 0; count < NAME_VARIANT_COUNT; count += 1) {
    names.push(fileName(pattern, tokens, new Set(names.map(foldName))));
  }
  return names;
}

/**
 * Returns the names from earlier versions, in which `{id8}` was the start of every ID; the most
 * specific name first.
 */
function formerNames(pattern: string, tokens: NameTokens): readonly string[] {
  const former = tokensWithOldId(tokens);
  if (former === null) return [];
  const stem = nameStem(pattern, former);
  return [`${stem} [${tokens.id}].pdf`, `${stem}.pdf`];
}

/** Name of a temporary file; for its format see `Files.replaceText`. */
const LEFTOVER_NAME = /^(.+)\.[0-9a-f]{8}\.tmp$/;

function isLeftoverTempFile(name: string): boolean {
  const [, of = ''] = LEFTOVER_NAME.exec(name) ?? [];
  return ARCHIVE_LISTS.has(of) || of === FOLDER_MARK || of.endsWith(REJECTED_SUFFIX);
}

/**
 * Returns the names in use in a folder. The names of the program's own lists are always reserved.
 */
function namesIn(folder: string, names: readonly string[]): FolderNames {
  const unfinished = names
    .filter((name) => name.endsWith('.part'))
    .map((name) => name.slice(0, -5));
  const taken = new Set([...names, ...unfinished, ...ARCHIVE_LISTS].map(foldName));
  return { folder, taken, found: new Map(names.map((name) => [toComposedName(name), name])) };
}

export function rootOf(folder: string, files: Files): string {
  return files.folderOf(files.join(folder, 'x'));
}

export function baseName(file: string, files: Files): string {
  return file.slice(files.folderOf(file).length).replace(/^[\\/]+/, '');
}
