import Holidays from 'date-holidays';
import { DAY } from '../../../shared/rules/time/units.ts';

/*
 * Days and hours of a wall calendar, calculated without the program's own code: instants through
 * `Intl`, holidays through a public list.
 */

/** Local time of an instant in a zone. */
export interface Wall {
  /** Day as `yyyy-MM-dd`. */
  readonly day: string;
  /** Time as `HH:mm`. */
  readonly time: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function wallOf(at: number, zone: string): Wall {
  let format = formats.get(zone);
  if (format === undefined) {
    // Swedish dates have the form `yyyy-MM-dd HH:mm`.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    formats.set(zone, format);
  }
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}

/** Number of days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY);

export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/**
 * Instant of this local time in the zone: the first one in a repeated hour, the next one in a
 * skipped hour.
 */
export function instantOf(day: string, time: string, zone: string): number {
  const asUtc = Date.parse(`${day}T${time}Z`);
  for (let at = asUtc - DAY / 2; at <= asUtc + DAY / 2; at += 15 * 60_000) {
    const wall = wallOf(at, zone);
    if (wall.day === day && wall.time >= time) return at;
  }
  throw new Error(`There is no ${day} ${time} in ${zone}`);
}

export function isWeekendDay(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T12:00Z`).getUTCDay());
}

const holidays = new Map<string, ReadonlySet<string>>();

export function isHolidayIn(country: string, day: string): boolean {
  const name = `${country} ${day.slice(0, 4)}`;
  let days = holidays.get(name);
  if (days === undefined) {
    const judge = country === 'GB' ? new Holidays('GB', 'ENG') : new Holidays(country);
    const kept = judge
      .getHolidays(Number(day.slice(0, 4)))
      .filter(({ type }) => type === 'public' || type === 'bank');
    days = new Set(kept.map(({ date }) => date.slice(0, 10)));
    holidays.set(name, days);
  }
  return days.has(day);
}
