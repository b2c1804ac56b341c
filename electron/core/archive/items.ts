import type { ArchiveCounts, ArchiveItem } from '../../../shared/contract/archive.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { agreementKeyText } from './choice.ts';
import type { CopyChecks, CopyPorts } from './copies.ts';
import type { PlacedPdf, StoredArchiveItem } from './ports.ts';

/**
 * Warning period (ms) before the service deletes an agreement permanently: long enough to notice
 * and to run the archive.
 */
const ARCHIVE_WARNING_MS = 14 * DAY;

/** Number of items whose other copies are checked in parallel. */
const PARALLEL_COPY_CHECKS = 32;

/**
 * Adds to each item the archive folder that contains its file, whether the PDF is missing from
 * `root`, and for a lost file the folder of an intact copy. If the file that was saved last is
 * lost, and another copy is intact, the item may describe that copy.
 */
export async function withCopies(
  { stores, files }: Pick<CopyPorts, 'stores' | 'files'>,
  checks: CopyChecks,
  items: readonly StoredArchiveItem[],
  root: string | null,
): Promise<ArchiveItem[]> {
  const folderOf = folderFinder(stores.archive.heldFolders());
  const placed = root === null ? [] : stores.archive.inFolder(root);
  const here = new Map(placed.map((one) => [agreementKeyText(one.key), one]));
  const outside = new OutsideItems(checks, files, folderOf);
  const describe = async (item: StoredArchiveItem): Promise<ArchiveItem> => {
    const { file } = item;
    if (file === null) return { ...item, folder: null, isElsewhere: false, copyFolder: null };
    if (root !== null && relativeTo(root, file) === null) {
      return outside.describe(item, file, root, here.get(agreementKeyText(item)));
    }
    const copy = isLost(item) ? await checks.intactCopy(item, file) : null;
    const copyFolder = copy === null ? null : folderOf(copy);
    return { ...item, folder: folderOf(file), isElsewhere: false, copyFolder };
  };
  const described: ArchiveItem[] = [];
  for (let from = 0; from < items.length; from += PARALLEL_COPY_CHECKS) {
    const some = items.slice(from, from + PARALLEL_COPY_CHECKS);
    described.push(...(await Promise.all(some.map(describe))));
  }
  return described;
}

/** Describes items whose files were saved last in another folder than the folder of the query. */
class OutsideItems {
  readonly #checks: CopyChecks;
  readonly #files: CopyPorts['files'];
  readonly #folderOf: (file: string) => string | null;
  /** Folders that can be reached now: a drive that does not answer is asked once. */
  readonly #reachable = new Map<string, Promise<boolean>>();

  constructor(
    checks: CopyChecks,
    files: CopyPorts['files'],
    folderOf: (file: string) => string | null,
  ) {
    this.#checks = checks;
    this.#files = files;
    this.#folderOf = folderOf;
  }

  /** `here`: record of the agreement's PDF in `root`, if it was saved there, too. */
  async describe(
    item: StoredArchiveItem,
    file: string,
    root: string,
    here: PlacedPdf | undefined,
  ): Promise<ArchiveItem> {
    const folder = this.#folderOf(file);
    const isDamaged = isLost(item);
    const isHere = here !== undefined && (await this.#isHere(here, isDamaged));
    const plain = { ...item, folder, isElsewhere: false, copyFolder: null };
    if (isHere && !isDamaged) return plain;
    if (isHere && here.sha256 === item.sha256) return { ...plain, ...unverified(here.file, root) };
    const isReachable = folder === null || (await this.#isReachable(folder));
    const isThere = !isDamaged && isReachable && (await this.#checks.isThere(file));
    if (isThere) return { ...plain, isElsewhere: true };
    const copy = await this.#checks.intactCopy(item, file);
    const copyFolder = copy === null ? null : this.#folderOf(copy);
    if (copy !== null && !isDamaged) {
      return { ...plain, ...unverified(copy, copyFolder), isElsewhere: true };
    }
    return {
      ...plain,
      finding: isDamaged ? item.finding : 'missing',
      // A folder that is gone cannot be repaired: then the file can be saved in the present one.
      folder: isReachable ? folder : null,
      isElsewhere: copy !== null && !isHere,
      copyFolder,
    };
  }

  /** A finding removes the change time of a record: then the content of the file decides. */
  async #isHere(here: PlacedPdf, isOtherDamaged: boolean): Promise<boolean> {
    if (here.changedAt !== null && !isOtherDamaged) return true;
    return this.#checks.isIntact(here);
  }

  #isReachable(folder: string): Promise<boolean> {
    const known = this.#reachable.get(folder);
    if (known !== undefined) return known;
    const asked = this.#files.listFolder(folder).then(
      () => true,
      () => false,
    );
    this.#reachable.set(folder, asked);
    return asked;
  }
}

/** An intact file that takes the place of a lost one; no verification recorded it. */
const unverified = (file: string, folder: string | null) => ({
  file,
  folder,
  finding: null,
  checkedAt: null,
});

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
