import type { DigestTime, QuietHours } from '../../contract/settings.ts';
import { dayNumber, instantsOf, numberedDay, wallTime } from '../time/days.ts';
import { isWeekend } from '../time/holidays.ts';
import { DAY, HOUR } from '../time/units.ts';

/** Of less there is little to say: whoever had one late has the next one late, too. */
const LEAST = 6 * HOUR;
/** Further than from a Friday to a Monday. */
const DAYS_BACK = 4;

/**
 * The last time that a digest was for, at or before `now`; null when digests are off.
 * @internal
 */
export function lastDigestTime(
  now: number,
  { isOn, at, workdaysOnly }: DigestTime,
  zone: string,
): number | null {
  if (!isOn) return null;
  const today = dayNumber(now, zone);
  for (let day = today; day >= today - DAYS_BACK; day -= 1) {
    if (workdaysOnly && isWeekend(day)) continue;
    // Where the clock is put forward over it, an hour later; where it is put back, the first time.
    const [time] = [`${at}:00`, laterByAnHour(at)].flatMap((clock) =>
      instantsOf(`${numberedDay(day)} ${clock}`, zone),
    );
    if (time !== undefined && time <= now) return time;
  }
  return null;
}

/**
 * Whether a digest is to be given. `takenAt` is when the last one was; one in the future, beyond a
 * day, was written by a clock that has been put back since.
 */
export function isDigestDue(takenAt: number, now: number, time: DigestTime, zone: string): boolean {
  const last = lastDigestTime(now, time, zone);
  if (last === null) return false;
  return (takenAt < last && now - takenAt >= LEAST) || takenAt - now > DAY;
}

/** Whether a person wants no messages on the desktop now; hours may go over midnight. */
export function isQuiet(now: number, hours: QuietHours | null, zone: string): boolean {
  if (hours === null) return false;
  const { from, until } = hours;
  const clock = wallTime(now, zone).slice('yyyy-MM-dd '.length, 'yyyy-MM-dd HH:mm'.length);
  return from <= until ? clock >= from && clock < until : clock >= from || clock < until;
}

function laterByAnHour(at: string): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  return `${String((hour + 1) % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00`;
}
