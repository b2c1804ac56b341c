import type { BackupWhen } from '../../contract/backup.ts';
import { DAY, HOUR } from '../time/units.ts';

/** A last one so far ahead of the clock was noted by a clock that was put back since. */
const AHEAD_MS = HOUR;
const WEEK = 7;

/**
 * When a backup falls due: the last of its times that passed since the one before, however long ago
 * and however often it was missed, or else the next one. Null without a time. Epoch milliseconds;
 * times are those of this computer.
 */
export function backupDueAt(when: BackupWhen, lastMade: number, now: number): number | null {
  if (when.kind === 'by-hand') return null;
  const last = lastMade - now > AHEAD_MS ? Number.NEGATIVE_INFINITY : lastMade;
  const passed = lastTime(when, now);
  return timeOn(when, now, passed) > last
    ? timeOn(when, now, passed)
    : timeOn(when, now, passed + periodOf(when));
}

/** Whether nothing was made for two periods: then somebody should look. */
export function isBackupOverdue(when: BackupWhen, lastMade: number, now: number): boolean {
  return when.kind !== 'by-hand' && now - lastMade > 2 * periodOf(when) * DAY;
}

type Timed = Exclude<BackupWhen, { kind: 'by-hand' }>;

const periodOf = ({ kind }: Timed): number => (kind === 'daily' ? 1 : WEEK);

/** Days from today to its last time that passed: 0 or below. */
function lastTime(when: Timed, now: number): number {
  const today = new Date(now).getDay();
  const back = when.kind === 'daily' ? 0 : (today - when.day + WEEK) % WEEK;
  return timeOn(when, now, -back) <= now ? -back : -back - periodOf(when);
}

/** Counted in days of the calendar, since one on which the clocks change has an hour more or less. */
function timeOn({ at }: Timed, now: number, days: number): number {
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
