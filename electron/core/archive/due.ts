import type { ArchiveSchedule } from '../../../shared/contract/archive.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** Tolerance (ms): a last run further in the future was recorded before the clock was set back. */
const MAX_AHEAD_MS = HOUR;

/**
 * Returns when a rule is due (epoch ms; the schedule is in local time): the last scheduled time, if
 * it passed without a run, even if several did; otherwise the next one. Null without a schedule.
 */
export function dueAt(when: ArchiveSchedule, lastRun: number, now: number): number | null {
  if (when.kind !== 'daily') return null;
  // The true time of a last run in the future is unknown, so the rule counts as never run: an extra
  // run saves no file twice, but a missing run would save nothing.
  const last = lastRun - now > MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : lastRun;
  const [hours = 0, minutes = 0] = when.at.split(':').map(Number);
  const on = (days: number) => timeOnDay(now, days, hours, minutes);
  const passed = on(0) <= now ? 0 : -1;
  return on(passed) > last ? on(passed) : on(passed + 1);
}

/**
 * Returns the local time `hours`:`minutes` on the day `days` calendar days after `now` (epoch ms).
 * If the clock skips that time in spring, the result is later by the skipped time. Calendar days
 * are counted, because a day with a clock change has 23 or 25 hours.
 */
function timeOnDay(now: number, days: number, hours: number, minutes: number): number {
  const day = new Date(now);
  const date = day.getDate() + days;
  return new Date(day.getFullYear(), day.getMonth(), date, hours, minutes).getTime();
}
