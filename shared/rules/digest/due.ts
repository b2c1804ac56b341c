import type { DigestTime, QuietHours } from '../../contract/settings.ts';
import { dayNumber, instantsOf, dayFromNumber, wallTime } from '../time/days.ts';
import { isWeekend } from '../time/holidays.ts';
import { DAY, HOUR } from '../time/units.ts';

/**
 * Minimum interval between two daily summaries: a shorter period has little to report. After a late
 * summary, the next one may therefore be late, too.
 */
const MIN_DIGEST_INTERVAL_MS = 6 * HOUR;
/** Number of days searched for the last scheduled time: more than from a Friday to a Monday. */
const MAX_DAYS_SEARCHED = 4;

/** The latest scheduled time at or before `now`; null if the daily summary is off. @internal */
export function lastDigestTime(
  now: number,
  { isOn, at, workdaysOnly }: DigestTime,
  zone: string,
): number | null {
  if (!isOn) return null;
  const today = dayNumber(now, zone);
  for (let day = today; day >= today - MAX_DAYS_SEARCHED; day -= 1) {
    if (workdaysOnly && isWeekend(day)) continue;
    // If a clock change skips the time, use the time one hour later. If it repeats the time, use
    // the first occurrence.
    const [time] = [`${at}:00`, addOneHour(at)].flatMap((clock) =>
      instantsOf(`${dayFromNumber(day)} ${clock}`, zone),
    );
    if (time !== undefined && time <= now) return time;
  }
  return null;
}

/**
 * Whether a daily summary is due. `takenAt` is the time of the last summary (epoch ms). If it is
 * more than a day in the future, the clock was set back after it.
 */
export function isDigestDue(takenAt: number, now: number, time: DigestTime, zone: string): boolean {
  const last = lastDigestTime(now, time, zone);
  if (last === null) return false;
  return (takenAt < last && now - takenAt >= MIN_DIGEST_INTERVAL_MS) || takenAt - now > DAY;
}

/** Whether desktop notifications are off now; the hours may span midnight. */
export function isQuiet(now: number, hours: QuietHours | null, zone: string): boolean {
  if (hours === null) return false;
  const { from, until } = hours;
  const clock = wallTime(now, zone).slice('yyyy-MM-dd '.length, 'yyyy-MM-dd HH:mm'.length);
  return from <= until ? clock >= from && clock < until : clock >= from || clock < until;
}

function addOneHour(at: string): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  return `${String((hour + 1) % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00`;
}
