import type { ArchiveWhen } from '../../../shared/contract/archive.ts';

const DAY_MS = 86_400_000;
/** A day of a change of the clocks has an hour more or less; looking three days back finds any. */
const DAYS_BACK = 3;
/** A last run so far ahead of the clock was noted by a clock that was put back since. */
const AHEAD_MS = 3_600_000;

/**
 * When a rule falls due: the last time of day that passed since it ran last, however long ago and
 * however often it was missed, or else the next one. Null without a time. Epoch milliseconds; times
 * of day are those of this computer.
 */
export function dueAt(when: ArchiveWhen, lastRun: number, now: number): number | null {
  if (when.kind !== 'daily') return null;
  // When that was is not known any more: a run too many saves nothing twice, none would save nothing.
  const last = lastRun - now > AHEAD_MS ? Number.NEGATIVE_INFINITY : lastRun;
  const [hours = 0, minutes = 0] = when.at.split(':').map(Number);
  for (let back = 0; back <= DAYS_BACK; back += 1) {
    const at = onDay(now - back * DAY_MS, hours, minutes);
    if (at > now) continue;
    return at > last ? at : onDay(at + DAY_MS, hours, minutes);
  }
  return onDay(now + DAY_MS, hours, minutes);
}

/** That time on the calendar day of `at`; where the clocks jump over it, the moment after. */
function onDay(at: number, hours: number, minutes: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes).getTime();
}
