import { AppError, isReason } from '../../../../shared/errors.ts';
import { isSchemaError } from '../../../../shared/shapes.ts';

import type { FileOwner, NewItemVersion, SharedFiles } from './ports.ts';
import type { OfficeStore } from '../ports.ts';
import type { OfficeItemKind } from '../../../../shared/contract/office/items.ts';
import { asContent } from './keeper.ts';
import type { ItemKeepers } from './kinds.ts';

type Owner = Pick<NewItemVersion, 'kind' | 'id' | 'content'>;

/** Fetched files by hash. `lost`: errors of items whose files are not available, by item ID. */
export interface FetchedFiles {
  readonly fetched: ReadonlyMap<string, Uint8Array>;
  readonly lost: ReadonlyMap<string, AppError>;
}

export const hasFiles = (kind: OfficeItemKind): kind is FileOwner['kind'] =>
  kind === 'template' || kind === 'draft';

/**
 * Sends the files of a version that the office does not have yet. Must be called before the version
 * is written, so that computers that read the version find its files.
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

/** Fetches files that the item needs and this computer does not have; adds them to `fetched`. */
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

/** Fetches the files of each item. Lost files of one item do not block the other items. */
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
      // Content of an unknown shape: the code that reads the item treats it as unreadable.
      if (isSchemaError(error)) continue;
      if (!isReason(error, 'data-damaged')) throw error;
      lost.set(item.id, error);
    }
  }
  return { fetched, lost };
}
