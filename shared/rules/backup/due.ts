import type { BackupFrequency } from '../../contract/backup.ts';
import { DAY, HOUR } from '../time/units.ts';

/** A last backup dated further ahead than this shows that the clock was set back after it. */
const MAX_CLOCK_AHEAD_MS = HOUR;
const DAYS_PER_WEEK = 7;

/**
 * Time when a backup is due (epoch ms; the schedule is in local time): the last scheduled time, if
 * it passed without a backup, even if several did; otherwise the next one. Null without a schedule.
 */
export function backupDueAt(when: BackupFrequency, lastMade: number, now: number): number | null {
  if (when.kind === 'by-hand') return null;
  const last = lastMade - now > MAX_CLOCK_AHEAD_MS ? Number.NEGATIVE_INFINITY : lastMade;
  const passed = daysToLastTime(when, now);
  return scheduledTimeOn(when, now, passed) > last
    ? scheduledTimeOn(when, now, passed)
    : scheduledTimeOn(when, now, passed + periodOf(when));
}

/** Whether no backup was made for two periods, so that the user should check. */
export function isBackupOverdue(when: BackupFrequency, lastMade: number, now: number): boolean {
  return when.kind !== 'by-hand' && now - lastMade > 2 * periodOf(when) * DAY;
}

type TimedBackupFrequency = Exclude<BackupFrequency, { kind: 'by-hand' }>;

const periodOf = ({ kind }: TimedBackupFrequency): number => (kind === 'daily' ? 1 : DAYS_PER_WEEK);

/** Days from today to the last scheduled time that has passed: 0 or negative. */
function daysToLastTime(when: TimedBackupFrequency, now: number): number {
  const today = new Date(now).getDay();
  const back = when.kind === 'daily' ? 0 : (today - when.day + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  return scheduledTimeOn(when, now, -back) <= now ? -back : -back - periodOf(when);
}

/**
 * The scheduled time `days` days from today (epoch ms). Counts calendar days, because a day with a
 * clock change has an hour more or less.
 */
function scheduledTimeOn({ at }: TimedBackupFrequency, now: number, days: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const day = new Date(now);
  return new Date(
    day.getFullYear(),
    day.getMonth(),
    day.getDate() + days,
    hours,
    minutes,
  ).getTime();
}
