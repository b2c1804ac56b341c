import type { Files, Stores } from '../ports.ts';
import { pathInRoot } from './manifest.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';

/**
 * Files below a folder, found by name in any Unicode form: macOS shares and sync programs return
 * `Å` as `A` plus a combining ring.
 */
export class DiskNames {
  readonly #names: ReadonlySet<string>;
  readonly #composed = new Map<string, string>();

  /** @param names paths relative to the folder, with `/` */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) this.#composed.set(toComposedName(name), name);
  }

  static async below(files: Files, root: string): Promise<DiskNames> {
    const names: string[] = [];
    for await (const name of files.walk(root)) names.push(name);
    return new DiskNames(names);
  }

  /** Returns the name as spelled on the disk; null if there is no such file. */
  find(name: string): string | null {
    return this.#names.has(name) ? name : (this.#composed.get(toComposedName(name)) ?? null);
  }

  all(): Iterable<string> {
    return this.#names;
  }
}

/** Returns the Unicode form in which names are compared. */
export const toComposedName = (name: string): string => name.normalize('NFC');

interface AlignPorts {
  readonly files: Files;
  readonly stores: { readonly archive: Pick<Stores['archive'], 'inFolder' | 'extras' | 'renamed'> };
}

/** Records the current disk name of each saved file of a folder; returns how many names changed. */
export function alignNames({ files, stores }: AlignPorts, root: string, names: DiskNames): number {
  const changes = recordedFiles(stores, root).flatMap((file) => {
    const name = relativeTo(root, file);
    const found = name === null ? null : names.find(name);
    return found === null || found === name
      ? []
      : [{ from: file, to: pathInRoot({ files }, root, found) }];
  });
  if (changes.length > 0) stores.archive.renamed(root, changes);
  return changes.length;
}

/** Like `alignNames`, but reads the disk only if a recorded name has two Unicode forms. */
export async function alignFolder(ports: AlignPorts, root: string): Promise<number> {
  const isPlain = recordedFiles(ports.stores, root).every(
    (file) => file.normalize('NFC') === file.normalize('NFD'),
  );
  return isPlain ? 0 : alignNames(ports, root, await DiskNames.below(ports.files, root));
}

const recordedFiles = ({ archive }: AlignPorts['stores'], root: string): readonly string[] =>
  [...archive.inFolder(root), ...archive.extras(root)].map(({ file }) => file);
