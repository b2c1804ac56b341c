import type { Files, Stores } from '../ports.ts';
import { inside } from './manifest.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';

/**
 * The files below a folder, found by name whatever Unicode form their names have on this disk: a macOS
 * share or a sync program gives `Å` back as `A` and a ring.
 */
export class DiskNames {
  readonly #names: ReadonlySet<string>;
  readonly #composed = new Map<string, string>();

  /** @param names relative, with `/` */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) this.#composed.set(composed(name), name);
  }

  static async below(files: Files, root: string): Promise<DiskNames> {
    const names: string[] = [];
    for await (const name of files.walk(root)) names.push(name);
    return new DiskNames(names);
  }

  /** The name as the disk spells it; null when there is no such file. */
  find(name: string): string | null {
    return this.#names.has(name) ? name : (this.#composed.get(composed(name)) ?? null);
  }

  all(): Iterable<string> {
    return this.#names;
  }
}

/** The form in which names are compared. */
export const composed = (name: string): string => name.normalize('NFC');

interface AlignPorts {
  readonly files: Files;
  readonly stores: { readonly archive: Pick<Stores['archive'], 'inFolder' | 'extras' | 'renamed'> };
}

/** Records the name that each saved file of a folder has on the disk now; gives how many changed. */
export function alignNames({ files, stores }: AlignPorts, root: string, names: DiskNames): number {
  const changes = recordedFiles(stores, root).flatMap((file) => {
    const name = relativeTo(root, file);
    const found = name === null ? null : names.find(name);
    return found === null || found === name
      ? []
      : [{ from: file, to: inside({ files }, root, found) }];
  });
  if (changes.length > 0) stores.archive.renamed(root, changes);
  return changes.length;
}

/** The same, and looks at the disk only where a recorded name can be spelled in two ways. */
export async function alignFolder(ports: AlignPorts, root: string): Promise<number> {
  const isPlain = recordedFiles(ports.stores, root).every(
    (file) => file.normalize('NFC') === file.normalize('NFD'),
  );
  return isPlain ? 0 : alignNames(ports, root, await DiskNames.below(ports.files, root));
}

const recordedFiles = ({ archive }: AlignPorts['stores'], root: string): readonly string[] =>
  [...archive.inFolder(root), ...archive.extras(root)].map(({ file }) => file);
