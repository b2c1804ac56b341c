import type { ArchiveCounts, ArchiveItem } from '../../../shared/contract/archive.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import type { StoredArchiveItem } from './ports.ts';

/**
 * Warning period (ms) before the service deletes an agreement permanently: long enough to notice
 * and to run the archive.
 */
const ARCHIVE_WARNING_MS = 14 * DAY;

/**
 * Adds to each item the archive folder that contains its file. If an archive folder is inside
 * another one, the file belongs to the inner folder.
 */
export function withFolders(
  items: readonly StoredArchiveItem[],
  folders: readonly string[],
): ArchiveItem[] {
  const innerFirst = folders.toSorted((one, other) => other.length - one.length);
  return items.map((item) => {
    const { file } = item;
    const folder =
      file === null ? undefined : innerFirst.find((one) => relativeTo(one, file) !== null);
    return { ...item, folder: folder ?? null };
  });
}

export function countArchive(items: readonly StoredArchiveItem[], now: number): ArchiveCounts {
  const counts: ArchiveCounts = {
    notArchived: 0,
    archived: 0,
    deleted: 0,
    endangered: 0,
    changed: 0,
    missing: 0,
    unchecked: 0,
    checkedAt: null,
  };
  for (const item of items) {
    switch (item.state) {
      case 'not-archived':
        counts.notArchived += 1;
        if (item.deletesAt !== null && item.deletesAt <= now + ARCHIVE_WARNING_MS) {
          counts.endangered += 1;
        }
        break;
      case 'deleted-on-service':
        counts.deleted += 1;
        break;
      case 'archived':
        counts.archived += 1;
        countFinding(counts, item);
        break;
    }
  }
  return counts;
}

function countFinding(
  counts: ArchiveCounts,
  { finding, checkedAt }: Pick<StoredArchiveItem, 'finding' | 'checkedAt'>,
): void {
  if (finding === 'changed') counts.changed += 1;
  if (finding === 'missing') counts.missing += 1;
  if (checkedAt === null) counts.unchecked += 1;
  else counts.checkedAt = Math.min(counts.checkedAt ?? checkedAt, checkedAt);
}
