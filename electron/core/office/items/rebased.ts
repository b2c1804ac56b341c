import { isSame } from '../../../../shared/rules/office/merge.ts';
import type { KnownItem, SharedItem } from '../ports.ts';

/**
 * How this desk knows an item once the office was put back; null where it has to be removed again. `last`: the
 * number of the newest change that the office had then. A version of before is what everything since began
 * with; one that was written since began with that too, and what this desk knew is none of its past.
 */
export function rebased(
  known: KnownItem,
  { version, content, number, isUnreadable }: SharedItem,
  last: number,
): KnownItem | null {
  if (isUnreadable === true) return { ...known, version };
  if (isSame(known.content ?? undefined, content ?? undefined)) return { ...known, version };
  if (known.content === null) return null;
  if (number <= last) return { ...known, version, content };
  const before = version - 1;
  return content === null || !known.isHere
    ? { ...known, version: before }
    : { ...known, version: before, content: null, open: [] };
}
