import type { ArchiveItem, ArchiveResult } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/**
 * Time before its permanent deletion by the service (ms) from which an agreement counts as
 * endangered; the core uses the same value.
 */
const DELETION_WARNING_MS = 14 * DAY;

/** Which items the list shows; `endangered`: agreements that the service deletes soon. */
export type ArchiveShow = 'all' | 'problems' | 'endangered' | ArchiveItem['state'];

/** Condition of an agreement's file, as the Check column shows it. */
export type ArchiveCheck =
  | 'verified'
  | 'changed'
  | 'missing'
  | 'unchecked'
  | 'waiting'
  | 'endangered'
  | 'deleted';

export interface ArchiveFilter {
  /** Words of the title, a party or the file name, in upper or lower case. */
  readonly words: string;
  /** `key`, or `key=value`. */
  readonly tag: string;
  /** Range of the closing time (epoch ms): `from` is included, `to` is excluded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export const emptyFilter: ArchiveFilter = { words: '', tag: '', from: undefined, to: undefined };

export const keyOf = (item: AgreementKey): string => `${item.connectionId}/${item.id}`;

/** Whether the file is missing or changed. */
export const isLost = ({ finding }: ArchiveItem): boolean =>
  finding === 'missing' || finding === 'changed';

export const isEndangered = ({ deletesAt, state }: ArchiveItem, now: number): boolean =>
  state === 'not-archived' && deletesAt !== null && deletesAt <= now + DELETION_WARNING_MS;

/** Whether a run can save a lost file again: from the service, or from an intact copy. */
export const isFetchable = (item: ArchiveItem): boolean =>
  isLost(item) && (item.isOnService || item.copyFolder !== null);

/** Whether a run can save the PDF of the item: it is not archived, or its file is lost. */
export const isSelectable = (item: ArchiveItem): boolean =>
  item.state === 'not-archived' || isFetchable(item);

/**
 * Whether the item's file is in the folder; the name of another folder may start with the same
 * text.
 */
export const isIn = (folder: string, { file }: ArchiveItem): boolean =>
  file !== null && relativeTo(folder, file) !== null;

export function checkOf(item: ArchiveItem, now: number): ArchiveCheck {
  if (item.state === 'deleted-on-service') return 'deleted';
  if (item.state === 'not-archived') return isEndangered(item, now) ? 'endangered' : 'waiting';
  switch (item.finding) {
    case null:
      return 'unchecked';
    case 'intact':
      return 'verified';
    case 'changed':
    case 'missing':
      return item.finding;
  }
}

export function isShown(item: ArchiveItem, show: ArchiveShow, now: number): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'problems':
      return isLost(item);
    case 'endangered':
      return isEndangered(item, now);
    case 'not-archived':
    case 'archived':
    case 'deleted-on-service':
      return item.state === show;
  }
}

/** Whether the item has the words and the closing time of the filter; ignores the tag. */
export function matchesArchiveFilter(
  item: ArchiveItem,
  { words, from, to }: ArchiveFilter,
): boolean {
  const { title, parties, closedAt, file } = item;
  if ((from !== undefined || to !== undefined) && closedAt === null) return false;
  if (closedAt !== null && (closedAt < (from ?? -Infinity) || closedAt >= (to ?? Infinity))) {
    return false;
  }
  const name = file?.split(/[\\/]/).at(-1) ?? '';
  const text = [title, ...(parties ?? []), name].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Returns the archive folders of the items with the items' keys. An item without a folder, such as
 * an agreement that is not archived, belongs to `folder`.
 */
export function groupByFolder(
  items: readonly ArchiveItem[],
  folder: string,
): ReadonlyMap<string, readonly AgreementKey[]> {
  const groups = new Map<string, AgreementKey[]>();
  for (const { connectionId, id, folder: own } of items) {
    const place = own === null || isSameFolder(own, folder) ? folder : own;
    const group = groups.get(place) ?? [];
    group.push({ connectionId, id });
    groups.set(place, group);
  }
  return groups;
}

/** Whether two paths name one folder; a path that the user typed may end with a separator. */
function isSameFolder(one: string, other: string): boolean {
  return withoutEnd(one) === withoutEnd(other);
}

/** Removes the separators at the end of a path, except from a root such as `/`. */
function withoutEnd(path: string): string {
  let { length } = path;
  while (length > 1 && '/\\'.includes(path.charAt(length - 1))) length -= 1;
  return path.slice(0, length);
}

/** Returns the result of several runs, one for each folder, as that of one run. */
export function mergeResults(
  first: ArchiveResult,
  others: readonly ArchiveResult[],
): ArchiveResult {
  const merged = { ...first, failed: [...first.failed], doubtful: [...first.doubtful] };
  for (const result of others) {
    merged.listed += result.listed;
    merged.saved += result.saved;
    if (result.copied !== undefined) merged.copied = (merged.copied ?? 0) + result.copied;
    merged.present += result.present;
    merged.waiting += result.waiting;
    merged.unsealed += result.unsealed;
    merged.bytes += result.bytes;
    merged.seconds += result.seconds;
    merged.failed.push(...result.failed);
    merged.doubtful.push(...result.doubtful);
    if (result.setAside !== undefined) {
      merged.setAside = [...(merged.setAside ?? []), ...result.setAside];
    }
  }
  // Two runs may save the same agreement, each in its own folder.
  merged.failed = withoutDoubles(merged.failed, keyOf);
  merged.doubtful = withoutDoubles(merged.doubtful, (one) => `${keyOf(one)}/${one.doubt}`);
  return merged;
}

function withoutDoubles<Item>(items: readonly Item[], keyText: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyText(item), item])).values()];
}
