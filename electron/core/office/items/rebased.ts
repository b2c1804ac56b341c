import { isSame } from '../../../../shared/rules/office/merge.ts';

import type { KnownItem, SharedItem } from './ports.ts';
import type { DetectedOfficeRestore } from '../ports.ts';

export type OfficeBeforeRestore = Pick<DetectedOfficeRestore, 'last' | 'hasMissed'>;

/**
 * Returns the known version of an item after the office was restored from a backup; null if the
 * item has to be removed again. `last` is the number of the newest change in the restored office.
 *
 * - A version from before the restore is the base of all changes after the restore.
 * - A version written after the restore has the same base. The version known on this computer is
 *   not part of its history.
 * - A version from before the restore that this computer had not read yet is received as usual:
 *   differences on this computer are older, and were not changed after the restore.
 * - If the computer also missed an earlier restore, it is unknown which version is older, and the
 *   user is asked.
 */
export function rebaseKnownItem(
  known: KnownItem,
  { version, content, number, isUnreadable }: SharedItem,
  { last, hasMissed }: OfficeBeforeRestore,
): KnownItem | null {
  const isUnread = version > known.version && number <= last;
  if (isUnreadable === true) return { ...known, version };
  if (isSame(known.content ?? undefined, content ?? undefined)) return { ...known, version };
  if (isUnread && !hasMissed) return known;
  if (known.content === null) return isUnread ? { ...known, version: version - 1 } : null;
  if (number <= last && !isUnread) return { ...known, version, content };
  const before = version - 1;
  return content === null || !known.isHere
    ? { ...known, version: before }
    : { ...known, version: before, content: null, open: [] };
}
