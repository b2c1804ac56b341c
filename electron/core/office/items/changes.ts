import type { StoredPerson } from '../../people/ports.ts';

/** Later than the change before, by which an undo sees that the entry was changed since. */
export function changeOf(row: Pick<StoredPerson, 'changedAt'> | null, now: number): number {
  return row === null ? now : Math.max(now, row.changedAt + 1);
}
