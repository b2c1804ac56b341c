import type { Connection } from '../../../shared/contract/connections.ts';
import { relativeTo } from '../paths.ts';
import type { FolderContent } from './lists.ts';
import type { Stores } from '../ports.ts';

/** What the program knows of the files in a folder. */
export function folderContent(
  stores: Pick<Stores, 'archive' | 'connections'>,
  root: string,
): FolderContent {
  const connections = new Map<string, Connection>(
    stores.connections.list().map((one) => [one.id, one]),
  );
  return {
    root,
    pdfs: stores.archive.inFolder(root),
    extras: stores.archive.extras(root),
    relative: (file) => relativeTo(root, file),
    connection: (id) => connections.get(id),
  };
}
