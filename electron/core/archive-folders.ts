import type { Agreement } from '../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../shared/contract/archive.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { ConnectionId } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import { fileName, foldName, folderNames, type NameTokens } from '../../shared/rules/file-name.ts';
import { ARCHIVE_LISTS } from './archive-lists.ts';
import type { ArchiveStore, Files } from './ports.ts';

/** Files of agreements that count less must not lie among those that count. */
const environments = { production: null, test: 'TEST', demo: 'DEMO' } as const;

/** A folder files go to, with the names that are taken in it. */
interface Shelf {
  readonly folder: string;
  readonly taken: Set<string>;
}

/** The folders of one run, made as they are needed, and who has which name in them. */
export class ArchiveFolders {
  /** As the system writes it. */
  readonly root: string;
  readonly #files: Files;
  readonly #store: ArchiveStore;
  readonly #run: ArchiveRun;
  readonly #connections: ReadonlyMap<ConnectionId, Connection>;
  readonly #shelves = new Map<string, Promise<Shelf>>();

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
    const wasHeld = this.#store.held(this.root);
    const names = await this.#files.prepareFolder(this.root, !wasHeld);
    if (wasHeld && this.#run.anew !== true && !names.some((name) => ARCHIVE_LISTS.has(name))) {
      const message = 'The archive that was in this folder is gone. Is its drive connected?';
      throw new AppError('storage', message, { reason: 'folder-missing' });
    }
    this.#shelves.set(this.root, Promise.resolve(shelfOf(this.root, names)));
  }

  /** Where a file of this agreement belongs; nothing is made. */
  placeFor(agreement: Agreement, tokens: NameTokens): string {
    return this.#chain(agreement, tokens).at(-1) ?? this.root;
  }

  /** Makes the folder and gives the file a name no other has; it is taken from now on. */
  async nameFor(
    agreement: Agreement,
    tokens: NameTokens,
    pattern: string,
  ): Promise<{ readonly file: string }> {
    let shelf = await this.#shelf(this.root);
    for (const folder of this.#chain(agreement, tokens)) shelf = await this.#shelf(folder);
    const { taken, folder } = shelf;
    const name = fileName(pattern, { ...tokens, counter: taken.size + 1 }, taken);
    taken.add(foldName(name));
    return { file: this.#files.join(folder, name) };
  }

  /** The names in a folder that is there, for others to be added. */
  async takenIn(folder: string): Promise<Set<string>> {
    return (await this.#shelf(folder)).taken;
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

  #shelf(folder: string): Promise<Shelf> {
    const known = this.#shelves.get(folder);
    if (known !== undefined) return known;
    const opening = this.#files.prepareFolder(folder).then((names) => shelfOf(folder, names));
    this.#shelves.set(folder, opening);
    return opening;
  }
}

/** Our own lists have names that no agreement may take. */
function shelfOf(folder: string, names: readonly string[]): Shelf {
  const unfinished = names
    .filter((name) => name.endsWith('.part'))
    .map((name) => name.slice(0, -5));
  return { folder, taken: new Set([...names, ...unfinished, ...ARCHIVE_LISTS].map(foldName)) };
}

export function rootOf(folder: string, files: Files): string {
  return files.folderOf(files.join(folder, 'x'));
}

export function baseName(file: string, files: Files): string {
  return file.slice(files.folderOf(file).length).replace(/^[\\/]+/, '');
}

/** The path inside a folder, with `/`; null when the file lies elsewhere. */
export function relativeTo(root: string, file: string): string | null {
  if (!file.startsWith(root)) return null;
  const rest = file.slice(root.length);
  if (!/^[\\/]/.test(rest) && !/[\\/]$/.test(root)) return null;
  const inside = rest.replace(/^[\\/]+/, '');
  return root.includes('\\') ? inside.replaceAll('\\', '/') : inside;
}
