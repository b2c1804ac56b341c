import type { ArchiveCounts, ArchiveItem } from '../../../shared/contract/archive.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { agreementKeyText } from './choice.ts';
import type { CopyChecks, CopyPorts } from './copies.ts';
import type { StoredArchiveItem } from './ports.ts';

/**
 * Warning period (ms) before the service deletes an agreement permanently: long enough to notice
 * and to run the archive.
 */
const ARCHIVE_WARNING_MS = 14 * DAY;

/** Number of items whose other copies are checked in parallel. */
const PARALLEL_COPY_CHECKS = 32;

/**
 * Adds to each item the archive folder that contains its file, whether the PDF is missing from
 * `root`, and for a lost file the folder of an intact copy.
 */
export async function withCopies(
  { stores }: Pick<CopyPorts, 'stores'>,
  checks: CopyChecks,
  items: readonly StoredArchiveItem[],
  root: string | null,
): Promise<ArchiveItem[]> {
  const folderOf = folderFinder(stores.archive.heldFolders());
  const placed = root === null ? [] : stores.archive.inFolder(root);
  const here = new Map(placed.map((one) => [agreementKeyText(one.key), one]));
  const isElsewhere = async (item: StoredArchiveItem, file: string): Promise<boolean> => {
    if (root === null || relativeTo(root, file) !== null) return false;
    const pdf = here.get(agreementKeyText(item));
    // A verification that does not find the file as it was saved removes its change time.
    return pdf === undefined || (pdf.changedAt === null && !(await checks.isThere(pdf)));
  };
  const describe = async (item: StoredArchiveItem): Promise<ArchiveItem> => {
    const { file } = item;
    const copy = isLost(item) ? await checks.intactCopy(item, file) : null;
    return {
      ...item,
      folder: file === null ? null : folderOf(file),
      isElsewhere: file !== null && (await isElsewhere(item, file)),
      copyFolder: copy === null ? null : folderOf(copy),
    };
  };
  const described: ArchiveItem[] = [];
  for (let from = 0; from < items.length; from += PARALLEL_COPY_CHECKS) {
    const some = items.slice(from, from + PARALLEL_COPY_CHECKS);
    described.push(...(await Promise.all(some.map(describe))));
  }
  return described;
}

/**
 * Returns a function that finds the archive folder of a file. If an archive folder is inside another
 * one, the file belongs to the inner folder.
 */
function folderFinder(folders: readonly string[]): (file: string) => string | null {
  const innerFirst = folders.toSorted((one, other) => other.length - one.length);
  return (file) => innerFirst.find((one) => relativeTo(one, file) !== null) ?? null;
}

export function countArchive(items: readonly ArchiveItem[], now: number): ArchiveCounts {
  const counts: ArchiveCounts = {
    notArchived: 0,
    archived: 0,
    deleted: 0,
    endangered: 0,
    changed: 0,
    missing: 0,
    copied: 0,
    here: 0,
    elsewhere: 0,
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
        if (item.isElsewhere) counts.elsewhere += 1;
        else if (!isLost(item)) counts.here += 1;
        if (item.copyFolder !== null) counts.copied += 1;
        countFinding(counts, item);
        break;
    }
  }
  return counts;
}

const isLost = ({ finding }: Pick<StoredArchiveItem, 'finding'>): boolean =>
  finding === 'changed' || finding === 'missing';

function countFinding(
  counts: ArchiveCounts,
  { finding, checkedAt }: Pick<StoredArchiveItem, 'finding' | 'checkedAt'>,
): void {
  if (finding === 'changed') counts.changed += 1;
  if (finding === 'missing') counts.missing += 1;
  if (checkedAt === null) counts.unchecked += 1;
  else counts.checkedAt = Math.min(counts.checkedAt ?? checkedAt, checkedAt);
}
