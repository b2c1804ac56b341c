import type {
  ArchiveItem,
  ArchiveResult,
  ArchiveVerdict,
  BagResult,
} from '../../../shared/contract/archive.ts';
import { formatBytes, formatDay } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const NOTHING = '–';

/** The file's name, without its folders. */
export function fileText({ file }: Pick<ArchiveItem, 'file'>): string {
  return file?.split(/[\\/]/).at(-1) ?? NOTHING;
}

/** What is known of the file's content, and since when; its hash was taken as it was saved. */
export function checkText(
  { savedAt, checkedAt, finding }: Pick<ArchiveItem, 'savedAt' | 'checkedAt' | 'finding'>,
  now: number,
): string {
  if (savedAt === null) return NOTHING;
  const day = formatDay(checkedAt ?? savedAt, now);
  switch (finding) {
    case null:
      return m.archive_check_saved({ day });
    case 'intact':
      return m.archive_check_intact({ day });
    case 'changed':
      return m.archive_check_changed({ day });
    case 'missing':
      return m.archive_check_missing({ day });
  }
}

/** How a run ended. */
export const runText = ({ saved, present, failed, bytes }: ArchiveResult): string =>
  m.archive_done({ saved, present, failed: failed.length, size: formatBytes(bytes) });

/** What reading every file again found. */
export const verdictText = ({ ok, files, agreements }: ArchiveVerdict): string =>
  m.archive_verified({ ok, files, ...agreements });

export const bagText = ({ files, bytes, folder }: BagResult): string =>
  m.archive_bag_done({ files, size: formatBytes(bytes), folder });
