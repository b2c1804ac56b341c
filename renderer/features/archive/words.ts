import type {
  ArchiveItem,
  ArchiveResult,
  ArchiveVerification,
  BagResult,
} from '../../../shared/contract/archive.ts';
import { formatBytes, formatDay } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const NO_VALUE = '–';

export function fileText({ file }: Pick<ArchiveItem, 'file'>): string {
  return file?.split(/[\\/]/).at(-1) ?? NO_VALUE;
}

/**
 * Result and time of the last check of the file's content, whose hash was stored when it was saved.
 */
export function checkText(
  { savedAt, checkedAt, finding }: Pick<ArchiveItem, 'savedAt' | 'checkedAt' | 'finding'>,
  now: number,
): string {
  if (savedAt === null) return NO_VALUE;
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

export const runText = ({ saved, present, failed, bytes }: ArchiveResult): string =>
  m.archive_done({ saved, present, failed: failed.length, size: formatBytes(bytes) });

export const verdictText = ({ ok, files, agreements }: ArchiveVerification): string =>
  m.archive_verified({ ok, files, ...agreements });

export const bagText = ({ files, bytes, folder }: BagResult): string =>
  m.archive_bag_done({ files, size: formatBytes(bytes), folder });
