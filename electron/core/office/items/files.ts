import { AppError, isReason } from '../../../../shared/errors.ts';
import { isSchemaError } from '../../../../shared/shapes.ts';
import type { FileOwner, NewItemVersion, OfficeStore, SharedFiles } from '../ports.ts';
import type { OfficeItemKind } from '../../../../shared/contract/office/items.ts';
import { asContent } from './keeper.ts';
import type { ItemKeepers } from './kinds.ts';

type Owner = Pick<NewItemVersion, 'kind' | 'id' | 'content'>;

/** Files by hash, and the reasons why those of some items are not available, by item ID. */
export interface FetchedFiles {
  readonly fetched: ReadonlyMap<string, Uint8Array>;
  readonly lost: ReadonlyMap<string, AppError>;
}

export const hasFiles = (kind: OfficeItemKind): kind is FileOwner['kind'] =>
  kind === 'template' || kind === 'draft';

/**
 * Sends the files of a version. To be called before the version is written, so that its readers
 * find them.
 */
export async function sendFiles(
  keepers: ItemKeepers,
  office: Pick<OfficeStore, 'item'>,
  { kind, id, content, version }: NewItemVersion,
  files: SharedFiles,
): Promise<void> {
  if (!hasFiles(kind)) return;
  const { filesOf, readFile } = keepers[kind];
  // The office already has the files of the previous version.
  const before = version === 1 ? null : office.item(kind, id);
  const known = new Set(filesOf?.(asContent(before?.content ?? null)));
  for (const sha256 of filesOf?.(asContent(content)) ?? []) {
    const data = known.has(sha256) ? null : (readFile?.(id, sha256) ?? null);
    if (data !== null) await files.put({ kind, id }, sha256, data);
  }
}

/** Adds the files that the item needs and this computer does not have to `fetched`. */
export async function fetchFiles(
  keepers: ItemKeepers,
  { kind, id, content }: Owner,
  files: SharedFiles,
  fetched: Map<string, Uint8Array>,
): Promise<void> {
  if (!hasFiles(kind)) return;
  const { filesOf, readFile } = keepers[kind];
  for (const sha256 of filesOf?.(asContent(content)) ?? []) {
    if (fetched.has(sha256) || (readFile?.(id, sha256) ?? null) !== null) continue;
    fetched.set(sha256, await files.read({ kind, id }, sha256));
  }
}

/** Like `fetchFiles`, for each item: lost files of one item do not block the others. */
export async function fetchForEach(
  keepers: ItemKeepers,
  items: readonly Owner[],
  files: SharedFiles,
): Promise<FetchedFiles> {
  const fetched = new Map<string, Uint8Array>();
  const lost = new Map<string, AppError>();
  for (const item of items) {
    if (keepers[item.kind].isClosed?.(item.id) === true) continue;
    try {
      await fetchFiles(keepers, item, files, fetched);
    } catch (error) {
      // The code that reads the item reports this too.
      if (isSchemaError(error)) continue;
      if (!isReason(error, 'data-damaged')) throw error;
      lost.set(item.id, error);
    }
  }
  return { fetched, lost };
}
