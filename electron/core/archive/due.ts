import type { ArchiveSchedule } from '../../../shared/contract/archive.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** A last run further ahead than this was recorded before the clock was set back. */
const MAX_AHEAD_MS = HOUR;

/**
 * Due time of a rule (epoch ms): the latest scheduled time of day since its last run, even if
 * several were missed, otherwise the next one. Null without a schedule. Times of day are local.
 */
export function dueAt(when: ArchiveSchedule, lastRun: number, now: number): number | null {
  if (when.kind !== 'daily') return null;
  // The true time is unknown: an extra run saves nothing twice, but a missing run would save
  // nothing.
  const last = lastRun - now > MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : lastRun;
  const [hours = 0, minutes = 0] = when.at.split(':').map(Number);
  const on = (days: number) => timeOnDay(now, days, hours, minutes);
  const passed = on(0) <= now ? 0 : -1;
  return on(passed) > last ? on(passed) : on(passed + 1);
}

/**
 * Returns that local time, `days` calendar days after `now`; the next moment if the clock skips it.
 * Counts calendar days, since a day with a clock change has 23 or 25 hours.
 */
function timeOnDay(now: number, days: number, hours: number, minutes: number): number {
  const day = new Date(now);
  const date = day.getDate() + days;
  return new Date(day.getFullYear(), day.getMonth(), date, hours, minutes).getTime();
}
