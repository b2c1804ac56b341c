import type { CallName } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { type PathBound, pathArguments } from '../../shared/page-asks.ts';
import { relativeTo } from '../../shared/rules/files/relative-to.ts';
import type { Files, Stores } from './ports.ts';

interface BoundPorts {
  readonly files: Pick<Files, 'resolveLocal' | 'kindOf' | 'folderOf'>;
  readonly stores: () => Stores | null;
  /** Folder of this program that users find without help. */
  readonly documentsFolder: string;
  /** Whether the host has a folder dialog. Without one, paths typed in the window are accepted. */
  readonly canChoose: boolean;
}

/**
 * Restricts the page to folders that the user chose, see `pathArguments`. If the host has a dialog,
 * the page cannot name a folder that was never chosen in it. Otherwise a folder must be local, and
 * it or its parent must exist.
 */
export class PathBounds {
  readonly #ports: BoundPorts;
  /**
   * Folders chosen in this run. Folders of earlier runs are stored in settings, rules and archives.
   */
  readonly #chosen = new Set<string>();

  constructor(ports: BoundPorts) {
    this.#ports = ports;
  }

  choose(folder: string): void {
    this.#chosen.add(this.#ports.files.resolveLocal(folder) ?? folder);
  }

  /**
   * Throws 'forbidden' with 'path-not-local', 'folder-not-chosen' or 'file-ending', or 'storage'
   * with 'folder-missing', for a path that the page may not name.
   */
  async check(name: CallName, input: unknown): Promise<void> {
    if (!hasPaths(name) || typeof input !== 'object' || input === null) return;
    const given = new Map<string, unknown>(Object.entries(input));
    for (const [key, bound] of Object.entries<PathBound>(pathArguments[name])) {
      for (const text of textsOf(given.get(key))) await this.#checkOne(text, bound);
    }
  }

  async #checkOne(text: string, bound: PathBound): Promise<void> {
    switch (bound.kind) {
      case 'folder':
        // A stored folder is accepted as it is, whether or not its drive is connected.
        if (!this.#known().includes(text)) await this.#checkFolder(text, this.#local(text));
        return;
      case 'file':
        return this.#checkFile(text, bound.endings);
      case 'name':
        return assertExtension(text, bound.endings);
      case 'own-work':
      case 'service':
      case 'text':
        return;
    }
  }

  async #checkFile(text: string, endings: readonly string[]): Promise<void> {
    const local = this.#local(text);
    assertExtension(local, endings);
    const folder = this.#ports.files.folderOf(local);
    await this.#checkFolder(folder, folder);
  }

  async #checkFolder(text: string, local: string): Promise<void> {
    const { files, canChoose } = this.#ports;
    if (this.#known().some((root) => isWithin(files.resolveLocal(root) ?? root, local))) return;
    if (canChoose) {
      const message = `The folder ${text} was not chosen in the folder dialog, so it is not used`;
      throw new AppError('forbidden', message, { reason: 'folder-not-chosen' });
    }
    const kind = await files.kindOf(local);
    if (kind === 'folder') return;
    if (kind !== 'nothing') throw notLocalPathError();
    if ((await files.kindOf(files.folderOf(local))) === 'folder') return;
    throw new AppError('storage', `The folder ${text} does not exist`, {
      reason: 'folder-missing',
    });
  }

  #local(text: string): string {
    const local = this.#ports.files.resolveLocal(text);
    if (local === null) throw notLocalPathError();
    return local;
  }

  #known(): string[] {
    const { documentsFolder, stores } = this.#ports;
    const open = stores();
    const chosen = [documentsFolder, ...this.#chosen];
    if (open === null) return chosen;
    const { archiveFolder, evidenceFolder } = open.settings.read();
    const rules = [...open.archive.rules.list(), ...open.intake.rules.list()];
    const backups = open.backup.read()?.plan.folder ?? null;
    const stored = [archiveFolder, evidenceFolder, backups].filter((folder) => folder !== null);
    return [
      ...chosen,
      ...stored,
      ...rules.map(({ rule }) => rule.folder),
      ...open.archive.heldFolders(),
    ];
  }
}

type NameWithPaths = keyof typeof pathArguments;

/** Whether `pathArguments` lists arguments of this call. */
export function hasPaths(name: CallName): name is NameWithPaths {
  return Object.hasOwn(pathArguments, name);
}

function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

function assertExtension(name: string, endings: readonly string[]): void {
  if (endings.some((ending) => name.toLowerCase().endsWith(ending))) return;
  const message = `The name of the file must end in ${endings.join(' or ')}`;
  throw new AppError('forbidden', message, { reason: 'file-ending' });
}

function isWithin(root: string, local: string): boolean {
  return root === local || relativeTo(root, local) !== null;
}

function notLocalPathError(): AppError {
  const message = 'Only a full path on this computer can be used';
  return new AppError('forbidden', message, { reason: 'path-not-local' });
}
