import type { BatchSchedule } from '../../contract/batches.ts';
import { addDays, instantsOf, wallTime } from '../time/days.ts';
import { HOUR } from '../time/units.ts';

const SATURDAY = 6;

/**
 * Sending time of each of `count` rows (epoch ms): from `now` or the chosen start, within working
 * hours in Sweden, and at most `perHour` in an hour.
 */
export function sendingTimesFor(
  schedule: BatchSchedule,
  count: number,
  now: number,
): readonly number[] {
  const gap = schedule.perHour === null ? 0 : HOUR / schedule.perHour;
  const times: number[] = [];
  let at = Math.max(now, schedule.startAt ?? now);
  for (let index = 0; index < count; index += 1) {
    at = withinHours(at, schedule.hours);
    times.push(Math.round(at));
    at += gap;
  }
  return times;
}

export function isSentImmediately({ startAt, hours, perHour }: BatchSchedule): boolean {
  return startAt === null && hours === null && perHour === null;
}

/** Returns `at` if it is within working hours, otherwise the next instant that is. @internal */
export function withinHours(at: number, hours: BatchSchedule['hours']): number {
  if (hours === null) return at;
  const wall = wallTime(at);
  const day = wall.slice(0, 10);
  const hour = Number(wall.slice(11, 13));
  if (isWorkday(day) && hour < hours.until) {
    return hour >= hours.from ? at : openingInstant(day, hours.from);
  }
  let next = addDays(day, 1);
  while (!isWorkday(next)) next = addDays(next, 1);
  return openingInstant(next, hours.from);
}

function openingInstant(day: string, hour: number): number {
  const [at] = instantsOf(`${day} ${String(hour).padStart(2, '0')}:00`);
  if (at === undefined) throw new RangeError('Working hours begin at an hour that is left out');
  return at;
}

function isWorkday(day: string): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== SATURDAY;
}
