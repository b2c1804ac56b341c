import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';
import { DAY } from './units.ts';

/*
 * Days have no zone and no hour. Instants are epoch milliseconds. A local time is a day and a time
 * in a zone, and means an instant. The computer's own zone is never used.
 */

/** Calendar day, `yyyy-MM-dd`; sorting the texts sorts the days. */
export type Day = string;

/** Default zone of both services (API v1, "Time zone"). */
export const STOCKHOLM = 'Europe/Stockholm';

const DAY_TEXT_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const WALL_TEXT_PATTERN = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/;
const formatsByZone = new Map<string, Intl.DateTimeFormat>();

/** Returns a calendar day; `month` is from 1. Null if the day does not exist. */
export function calendarDay(year: number, month: number, day: number): Day | null {
  const at = utcOf([year, month, day]);
  return at === null ? null : new Date(at).toISOString().slice(0, 10);
}

/** Whether the text is an existing day in ISO 8601 format; no other format is guessed. */
export function isDay(text: string): boolean {
  return utcOf(numbersOf(DAY_TEXT_PATTERN, text)) !== null;
}

/** Returns the day that is `count` days after `day`. @throws RangeError if `day` is invalid. */
export function addDays(day: Day, count: number): Day {
  const at = utcOf(numbersOf(DAY_TEXT_PATTERN, day));
  if (at === null) throw new RangeError('This date does not exist');
  return new Date(at + count * DAY).toISOString().slice(0, 10);
}

/** Number of whole years from one day to a later day. */
export function yearsBetween(born: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(5) < born.slice(5) ? years - 1 : years;
}

/** Day in the zone at an instant: "today" if `at` is now. */
export function dayOf(at: number, zone: string = STOCKHOLM): Day {
  if (cachedCalendarDay?.at !== at || cachedCalendarDay.zone !== zone) {
    cachedCalendarDay = { at, zone, day: wallTime(at, zone).slice(0, 10) };
  }
  return cachedCalendarDay.day;
}

/** Day in the zone as a number from 1970-01-01: thousands of numbers are faster to compare. */
export function dayNumber(at: number, zone: string = STOCKHOLM): number {
  return Math.floor((at + offsetAt(at, zone)) / DAY);
}

export function dayFromNumber(number: number): Day {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

/** Number of a day, counted from 1970-01-01. @throws RangeError if `day` is invalid. */
export function numberOfDay(day: Day): number {
  const at = utcOf(numbersOf(DAY_TEXT_PATTERN, day));
  if (at === null) throw new RangeError('This date does not exist');
  return at / DAY;
}

/** Cached last day: thousands of rows are validated at one instant, and zone lookups are slow. */
let cachedCalendarDay: { readonly at: number; readonly zone: string; readonly day: Day } | null =
  null;

/** Local time in the zone at an instant, `yyyy-MM-dd HH:mm:ss`. */
export function wallTime(at: number, zone: string = STOCKHOLM): string {
  const parts = new Map(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes, length = 2) =>
    (parts.get(type) ?? '').padStart(length, '0');
  const day = `${part('year', 4)}-${part('month')}-${part('day')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * All instants with this local time in the zone, earliest first: usually one. There are two for a
 * time that a clock change repeats, and none for a skipped time or an invalid text.
 */
export function instantsOf(wall: string, zone: string = STOCKHOLM): readonly number[] {
  const asUtc = utcOf(numbersOf(WALL_TEXT_PATTERN, wall));
  if (asUtc === null) return [];
  // No zone differs from UTC by more than a day, and none changes twice within two days.
  const before = asUtc - offsetAt(asUtc - DAY, zone);
  const after = asUtc - offsetAt(asUtc + DAY, zone);
  if (before === after) return [before];
  const shown = utcText(asUtc);
  return [before, after].filter((at) => wallTime(at, zone) === shown).toSorted((a, b) => a - b);
}

/**
 * Validates a local time, `yyyy-MM-dd HH:mm` with or without seconds. A time that a clock change
 * skips is wrong. Of a time that it repeats, the first occurrence is used, with a warning.
 */
export function validateWallTime(text: string, zone: string = STOCKHOLM): ValidationResult {
  const trimmed = text.trim();
  const asUtc = utcOf(numbersOf(WALL_TEXT_PATTERN, trimmed));
  if (asUtc === null) return invalidResult(trimmed, 'form');
  const value = utcText(asUtc);
  const instants = instantsOf(value, zone);
  if (instants.length === 0) return invalidResult(value, 'missing-hour');
  return instants.length > 1 ? suspiciousResult(value, 'doubled-hour') : validResult(value);
}

/**
 * Instant of these numbers in UTC (year, month from 1, day, and optionally hour, minute, second);
 * null if numbers are missing, or a number is out of range.
 */
export function utcOf(numbers: readonly number[]): number | null {
  const [year, month, day, hour = 0, minute = 0, second = 0] = numbers;
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isReal ? date.getTime() : null;
}

function numbersOf(form: RegExp, text: string): readonly number[] {
  const found = form.exec(text);
  return found === null ? [] : found.slice(1).map((part: string | undefined) => Number(part ?? 0));
}

/**
 * Milliseconds that the zone is ahead of UTC. Zone lookups took most of the time for reading a list
 * of agreements, with times on a few thousand days. A day that starts and ends with the same offset
 * therefore uses one cached offset, because no zone changes twice in one day.
 */
function offsetAt(at: number, zone: string): number {
  const day = Math.floor(at / DAY);
  const start = offsetOfDay(day, zone);
  return start === offsetOfDay(day + 1, zone) ? start : computeOffset(at, zone);
}

/** Offset of a zone at the start of a UTC day; `day` is counted from 1970-01-01. */
function offsetOfDay(day: number, zone: string): number {
  const ofZone = offsetsByZone.get(zone) ?? new Map<number, number>();
  const known = ofZone.get(day);
  if (known !== undefined) return known;
  if (ofZone.size === MAX_OFFSETS) ofZone.clear();
  const offset = computeOffset(day * DAY, zone);
  offsetsByZone.set(zone, ofZone.set(day, offset));
  return offset;
}

/** Maximum cached days of a zone: about fifty years, more than the range of any agreements. */
const MAX_OFFSETS = 20_000;
const offsetsByZone = new Map<string, Map<number, number>>();

function computeOffset(at: number, zone: string): number {
  const shown = utcOf(numbersOf(WALL_TEXT_PATTERN, wallTime(at, zone))) ?? at;
  return shown - Math.floor(at / 1000) * 1000;
}

function utcText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Cached format for a zone: creating a format takes a hundred times as long as using it. */
function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formatsByZone.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formatsByZone.set(zone, made);
  return made;
}

let longFormat: Intl.DateTimeFormat | null = null;

/** Formats an ISO day as `22 November 2026`. */
export function formatLongDay(day: string): string {
  // Created on first use, because it takes longer than loading all the rules.
  longFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return longFormat.format(new Date(`${day}T12:00:00Z`));
}
