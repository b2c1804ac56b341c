import { isSame } from '../../../../shared/rules/office/merge.ts';
import type { FoundPutBack, KnownItem, SharedItem } from '../ports.ts';

/** Of the time at which the office was put back. */
export type Before = Pick<FoundPutBack, 'last' | 'hasMissed'>;

/**
 * How this desk knows an item once the office was put back; null where it has to be removed again. `last`: the
 * number of the newest change that the office had then. A version of before is what everything since began
 * with; one that was written since began with that too, and what this desk knew is none of its past. A version of before
 * that this desk had not read yet is received as ever: what differs here is older, and was not changed since. Where the
 * desk was also away for an earlier time, nobody knows which of them came first, and a person is asked.
 */
export function rebased(
  known: KnownItem,
  { version, content, number, isUnreadable }: SharedItem,
  { last, hasMissed }: Before,
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
