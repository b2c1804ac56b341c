import type { ArchiveItem } from '../../../shared/contract/archive.ts';
import { formatDay } from '../../ui/format.ts';
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
