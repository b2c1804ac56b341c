import type { Clock, Files, Stores } from '../ports.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { ARCHIVE_LISTS, MANIFEST } from './lists.ts';
import { pathInRoot } from './manifest.ts';
import { FOLDER_MARK, readFolderMark } from '../../../shared/rules/office/folder-mark.ts';

interface MarkPorts {
  readonly files: Files;
  readonly stores: { readonly archive: Pick<Stores['archive'], 'listMarks' | 'markLists'> };
}

/**
 * Writes the lists `names` with `write`, and records their hashes. If the program is killed in
 * between, the lists count as unknown, not as altered.
 */
export async function writeListsWithHashes(
  ports: MarkPorts,
  root: string,
  names: readonly string[],
  write: () => Promise<void>,
): Promise<void> {
  const { files, stores } = ports;
  const { hashes: before = {} } = stores.archive.listMarks(root) ?? {};
  const others = Object.entries(before).filter(([name]) => !names.includes(name));
  const turn = await readFolderTurn(files, root);
  stores.archive.markLists(root, { turn, hashes: Object.fromEntries(others) });
  await write();
  const written: [string, string][] = [];
  for (const name of names) {
    const hash = await files.hash(files.join(root, name));
    if (hash !== null) written.push([name, hash]);
  }
  stores.archive.markLists(root, { turn, hashes: Object.fromEntries([...others, ...written]) });
}

interface MovePorts {
  readonly files: Files;
  readonly clock: Pick<Clock, 'now'>;
  readonly stores: {
    readonly archive: Pick<
      Stores['archive'],
      'held' | 'heldFolders' | 'holds' | 'inFolder' | 'listMarks' | 'markLists'
    >;
  };
}

/**
 * If the archive in `root` was moved there, adopts the hashes recorded for its former folder, so
 * that its lists are compared with them.
 */
export async function adoptMovedListHashes(ports: MovePorts, root: string): Promise<void> {
  const { archive } = ports.stores;
  if (archive.held(root)) return;
  for (const former of archive.heldFolders()) {
    const marks = archive.listMarks(former);
    if (marks === null || !(await isMovedFrom(ports, former, root))) continue;
    archive.holds(root, ports.clock.now());
    archive.markLists(root, marks);
    return;
  }
}

/**
 * Whether the archive of `former` was moved to `root`: `former` has no archive any more, and `root`
 * has one of its files, unchanged and under the same name.
 */
async function isMovedFrom(ports: MovePorts, former: string, root: string): Promise<boolean> {
  const { files, stores } = ports;
  if ((await files.statFile(files.join(former, MANIFEST))) !== null) return false;
  for (const { file, sha256, bytes } of stores.archive.inFolder(former)) {
    const name = relativeTo(former, file);
    if (name === null) continue;
    for (const form of new Set([name, name.normalize('NFC'), name.normalize('NFD')])) {
      const here = pathInRoot(ports, root, form);
      if ((await files.statFile(here))?.bytes !== bytes) continue;
      if ((await files.hash(here)) === sha256) return true;
    }
  }
  return false;
}

/**
 * Returns the names of the lists that are missing or differ from what this computer wrote. In an
 * office folder, lists that another computer wrote later are not checked.
 */
export async function findAlteredLists(
  { files, stores }: MarkPorts,
  root: string,
): Promise<readonly string[]> {
  const marks = stores.archive.listMarks(root);
  if (marks === null || marks.turn !== (await readFolderTurn(files, root))) return [];
  const altered: string[] = [];
  for (const name of ARCHIVE_LISTS) {
    const hash = marks.hashes[name];
    if (hash !== undefined && (await files.hash(files.join(root, name))) !== hash) {
      altered.push(name);
    }
  }
  return altered;
}

async function readFolderTurn(files: Files, root: string): Promise<number | null> {
  const file = files.join(root, FOLDER_MARK);
  if ((await files.statFile(file)) === null) return null;
  return readFolderMark(await files.readText(file))?.number ?? null;
}
