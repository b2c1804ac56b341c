import { fine, suspicious, type ValidationResult, wrong } from '../text/verdict.ts';
import { DAY } from './units.ts';

/*
 * Days have no zone and no hour; instants are epoch milliseconds; between the two stands a clock
 * on a wall somewhere. The computer's own zone is never asked.
 */

/** A calendar day, `yyyy-MM-dd`; such texts sort as the days do. */
export type Day = string;

/** The zone of both services where nothing else is said (API v1, "Time zone"). */
export const STOCKHOLM = 'Europe/Stockholm';

const DAY_TEXT = /^(\d{4})-(\d{2})-(\d{2})$/;
const WALL_TEXT = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of these numbers, the month from 1; null when the calendar has none such. */
export function calendarDay(year: number, month: number, day: number): Day | null {
  const at = utcOf([year, month, day]);
  return at === null ? null : new Date(at).toISOString().slice(0, 10);
}

/** Whether the text is an existing day as ISO 8601 writes it; no other form is guessed at. */
export function isDay(text: string): boolean {
  return utcOf(numbersOf(DAY_TEXT, text)) !== null;
}

/** @throws RangeError when `day` is no day. */
export function addDays(day: Day, count: number): Day {
  const at = utcOf(numbersOf(DAY_TEXT, day));
  if (at === null) throw new RangeError('This date does not exist');
  return new Date(at + count * DAY).toISOString().slice(0, 10);
}

/** Whole years from one day to a later one. */
export function yearsBetween(born: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(5) < born.slice(5) ? years - 1 : years;
}

/** The day it is in the zone at that instant: "today" when `at` is now. */
export function dayOf(at: number, zone: string = STOCKHOLM): Day {
  if (asked?.at !== at || asked.zone !== zone) {
    asked = { at, zone, day: wallTime(at, zone).slice(0, 10) };
  }
  return asked.day;
}

/** The same, counted from 1970-01-01: thousands of days are compared as numbers. */
export function dayNumber(at: number, zone: string = STOCKHOLM): number {
  return Math.floor((at + offsetAt(at, zone)) / DAY);
}

/** The day of that number. */
export function numberedDay(number: number): Day {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

/** @throws RangeError when `day` is no day. */
export function numberOfDay(day: Day): number {
  const at = utcOf(numbersOf(DAY_TEXT, day));
  if (at === null) throw new RangeError('This date does not exist');
  return at / DAY;
}

/** Thousands of rows are judged at one instant, and a zone takes long to ask. */
let asked: { readonly at: number; readonly zone: string; readonly day: Day } | null = null;

/** What a clock in the zone shows at that instant, `yyyy-MM-dd HH:mm:ss`. */
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
 * The instants at which a clock in the zone shows this time, earliest first: one as a rule, two
 * when the clock is put back, none when it is put forward or the text is no time at all.
 */
export function instantsOf(wall: string, zone: string = STOCKHOLM): readonly number[] {
  const asUtc = utcOf(numbersOf(WALL_TEXT, wall));
  if (asUtc === null) return [];
  // No zone is further from UTC than a day, and none changes twice within two.
  const before = asUtc - offsetAt(asUtc - DAY, zone);
  const after = asUtc - offsetAt(asUtc + DAY, zone);
  if (before === after) return [before];
  const shown = utcText(asUtc);
  return [before, after].filter((at) => wallTime(at, zone) === shown).toSorted((a, b) => a - b);
}

/**
 * A day and a time as a person picks them, `yyyy-MM-dd HH:mm` with or without seconds. An hour
 * that the zone leaves out is refused; of a doubled hour the first is meant, and a person is warned.
 */
export function validateWallTime(text: string, zone: string = STOCKHOLM): ValidationResult {
  const trimmed = text.trim();
  const asUtc = utcOf(numbersOf(WALL_TEXT, trimmed));
  if (asUtc === null) return wrong(trimmed, 'form');
  const value = utcText(asUtc);
  const instants = instantsOf(value, zone);
  if (instants.length === 0) return wrong(value, 'missing-hour');
  return instants.length > 1 ? suspicious(value, 'doubled-hour') : fine(value);
}

/**
 * The instant these numbers (year, month from 1, day, and if need be hour, minute, second) would
 * be in UTC; null when they are too few, or one of them is out of its range.
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
 * Milliseconds that the zone is ahead of UTC. A list of agreements holds times of a few thousand
 * days, and to ask the zone for each took most of reading it: where a day begins and ends with the
 * same offset, it is the day's. No zone changes twice in one.
 */
function offsetAt(at: number, zone: string): number {
  const day = Math.floor(at / DAY);
  const start = offsetOfDay(day, zone);
  return start === offsetOfDay(day + 1, zone) ? start : askOffset(at, zone);
}

/** Where the day of UTC begins, counted from 1970. */
function offsetOfDay(day: number, zone: string): number {
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const known = ofZone.get(day);
  if (known !== undefined) return known;
  if (ofZone.size === MAX_OFFSETS) ofZone.clear();
  const offset = askOffset(day * DAY, zone);
  offsets.set(zone, ofZone.set(day, offset));
  return offset;
}

/** Some fifty years; more than that is nobody's agreements. */
const MAX_OFFSETS = 20_000;
const offsets = new Map<string, Map<number, number>>();

function askOffset(at: number, zone: string): number {
  const shown = utcOf(numbersOf(WALL_TEXT, wallTime(at, zone))) ?? at;
  return shown - Math.floor(at / 1000) * 1000;
}

function utcText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Making a format costs a hundred times what using it does. */
function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
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
  formats.set(zone, made);
  return made;
}

let longFormat: Intl.DateTimeFormat | null = null;

/** An ISO day as `22 November 2026`. */
export function longDay(day: string): string {
  // Not made as the program starts: it takes longer than loading all the rules.
  longFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return longFormat.format(new Date(`${day}T12:00:00Z`));
}
