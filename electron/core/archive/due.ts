import type { ArchiveWhen } from '../../../shared/contract/archive.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** A last run so far ahead of the clock was noted by a clock that was put back since. */
const AHEAD_MS = HOUR;

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
  const on = (days: number) => onDay(now, days, hours, minutes);
  const passed = on(0) <= now ? 0 : -1;
  return on(passed) > last ? on(passed) : on(passed + 1);
}

/**
 * That time on the calendar day so many days after that of `now`; where the clocks jump over it, the
 * moment after. Counted in days, since one on which the clocks change has an hour more or less.
 */
function onDay(now: number, days: number, hours: number, minutes: number): number {
  const day = new Date(now);
  const date = day.getDate() + days;
  return new Date(day.getFullYear(), day.getMonth(), date, hours, minutes).getTime();
}
