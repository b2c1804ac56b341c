import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  fileName,
  foldName,
  folderNames,
  formerTokens,
  nameStem,
  type NameTokens,
} from '../../../shared/rules/files/file-name.ts';
import { FOLDER_MARK } from '../../../shared/rules/office/folder-mark.ts';
import { composed, DiskNames } from './disk-names.ts';
import { ARCHIVE_LISTS } from './lists.ts';
import { REJECTED } from '../file-ports.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import type { ArchiveStore, Files } from '../ports.ts';

/** Files of agreements that count less must not lie among those that count. */
const environments = { production: null, test: 'TEST', demo: 'DEMO' } as const;

/** Alone, with the short id, and with the whole one. */
const OWN_NAMES = 3;

/** A folder files go to, with the names that are taken in it. */
interface FolderNames {
  readonly folder: string;
  readonly taken: Set<string>;
  /** Names as they were found, by their composed form. */
  readonly found: ReadonlyMap<string, string>;
}

/** Where a file goes. */
export interface FilePlace {
  readonly file: string;
  /** A file that has the name already and that nobody here knows: it may be the one. */
  readonly twin: string | null;
  /** What came instead of the PDF before, and was kept. */
  readonly rejected: string | null;
  /** The file with this name is not as it was saved: it is set aside once the new one is whole. */
  readonly replaces: boolean;
}

/** The folders of one run, made as they are needed, and who has which name in them. */
export class ArchiveFolders {
  /** As the system writes it. */
  readonly root: string;
  readonly #files: Files;
  readonly #store: ArchiveStore;
  readonly #run: ArchiveRun;
  readonly #connections: ReadonlyMap<ConnectionId, Connection>;
  /** Looked at when first needed: what a killed run left there was put right before. */
  readonly #folders = new Map<string, Promise<FolderNames>>();
  #known: Set<string> | null = null;
  #names: Promise<DiskNames> | null = null;

  constructor(
    files: Files,
    store: ArchiveStore,
    run: ArchiveRun,
    connections: ReadonlyMap<ConnectionId, Connection>,
  ) {
    this.#files = files;
    this.#store = store;
    this.#run = run;
    this.#connections = connections;
    this.root = rootOf(run.folder, files);
  }

  /**
   * Opens the folder. One that held an archive and is gone, or came back empty, is a drive that was
   * pulled out: it is not made anew. Throws 'storage' with 'folder-missing'.
   */
  async open(): Promise<void> {
    const wasHeld = this.wasHeld();
    const names = await this.#files.prepareFolder(this.root, !wasHeld);
    if (wasHeld && this.#run.anew !== true && !names.some((name) => ARCHIVE_LISTS.has(name))) {
      const message =
        'The archive that was in this folder is missing. Check that its drive is connected';
      throw new AppError('storage', message, { reason: 'folder-missing' });
    }
    await this.#sweep(this.root, names);
  }

  /** The files that were here when they were first asked about. */
  names(): Promise<DiskNames> {
    this.#names ??= DiskNames.below(this.#files, this.root);
    return this.#names;
  }

  /** Whether an archive was ever begun here, so that a missing one is not made anew. */
  wasHeld(): boolean {
    return this.#store.held(this.root);
  }

  /** Where a file of this agreement belongs; nothing is made. */
  placeFor(agreement: Agreement, tokens: NameTokens): string {
    return this.#chain(agreement, tokens).at(-1) ?? this.root;
  }

  /** Makes the folder and gives the file a name no other has; it is taken from now on. */
  async nameFor(agreement: Agreement, tokens: NameTokens, pattern: string): Promise<FilePlace> {
    let inFolder = await this.#inFolder(this.root);
    for (const folder of this.#chain(agreement, tokens)) inFolder = await this.#inFolder(folder);
    const { taken, found, folder } = inFolder;
    const counted = { ...tokens, counter: taken.size + 1 };
    const name = fileName(pattern, counted, taken);
    taken.add(foldName(name));
    const twin =
      [...ownNames(pattern, counted), ...formerNames(pattern, counted)]
        .flatMap((one) => found.get(composed(one)) ?? [])
        .map((one) => this.#files.join(folder, one))
        .find((one) => !this.#knownFiles().has(one)) ?? null;
    const file = this.#files.join(folder, name);
    const rejected = found.get(composed(`${name}${REJECTED}`));
    return {
      file,
      twin,
      rejected: rejected === undefined ? null : this.#files.join(folder, rejected),
      replaces: false,
    };
  }

  /** Takes the name of a file that is gone, for the same file; false where it, or its folder, is not free. */
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

  /** A file that was found turned out to be one agreement's; it is no other's. */
  take(file: string): void {
    this.#knownFiles().add(file);
  }

  #knownFiles(): Set<string> {
    this.#known ??= new Set(this.#store.inFolder(this.root).map(({ file }) => file));
    return this.#known;
  }

  /** The names in a folder that is there, for others to be added. */
  async takenIn(folder: string): Promise<Set<string>> {
    return (await this.#inFolder(folder)).taken;
  }

  /** The folders from the root to where the file belongs, without the root. */
  #chain({ connectionId }: Agreement, tokens: NameTokens): readonly string[] {
    const environment = this.#connections.get(connectionId)?.environment ?? 'production';
    const first = environments[environment];
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

  /** Takes away what a killed run left of its own lists and notes. */
  async #sweep(folder: string, names: readonly string[]): Promise<FolderNames> {
    const left = names.filter(isLeftoverTempFile);
    for (const name of left) await this.#files.drop(this.#files.join(folder, name));
    return namesIn(folder, names);
  }
}

/**
 * What the file is called: by another desk also where a name was taken then that is free by now, as by a file
 * of ours that was never finished.
 */
function ownNames(pattern: string, tokens: NameTokens): readonly string[] {
  const names: string[] = [];
  for (let count = 0; count < OWN_NAMES; count += 1) {
    names.push(fileName(pattern, tokens, new Set(names.map(foldName))));
  }
  return names;
}

/** What the file was called while `{id8}` was the beginning of every id; the most exact name first. */
function formerNames(pattern: string, tokens: NameTokens): readonly string[] {
  const former = formerTokens(tokens);
  if (former === null) return [];
  const stem = nameStem(pattern, former);
  return [`${stem} [${tokens.id}].pdf`, `${stem}.pdf`];
}

/** See `Files.replaceText`. */
const LEFT = /^(.+)\.[0-9a-f]{8}\.tmp$/;

function isLeftoverTempFile(name: string): boolean {
  const [, of = ''] = LEFT.exec(name) ?? [];
  return ARCHIVE_LISTS.has(of) || of === FOLDER_MARK || of.endsWith(REJECTED);
}

/** Our own lists have names that no agreement may take. */
function namesIn(folder: string, names: readonly string[]): FolderNames {
  const unfinished = names
    .filter((name) => name.endsWith('.part'))
    .map((name) => name.slice(0, -5));
  const taken = new Set([...names, ...unfinished, ...ARCHIVE_LISTS].map(foldName));
  return { folder, taken, found: new Map(names.map((name) => [composed(name), name])) };
}

export function rootOf(folder: string, files: Files): string {
  return files.folderOf(files.join(folder, 'x'));
}

export function baseName(file: string, files: Files): string {
  return file.slice(files.folderOf(file).length).replace(/^[\\/]+/, '');
}
